#!/usr/bin/env bash
# hosts_init.sh FOLDER COUNT KEEP...: process 1 of a cluster that hosts.py makes out of Linux namespaces.  It becomes the host
# "login" (10.77.0.100), starts the hosts node1 ... nodeCOUNT (10.77.0.1, ...), joins all by a bridge, writes the id of the
# process of each node to FOLDER/NAME.pid, prints "ready", and sleeps.  FOLDER and the folders KEEP are the same on all hosts, as those
# of a parallel file system; /tmp, /dev/shm, /run, /var/spool and /var/log are each host's own.
#
# Its network, UTS, IPC, mount and PID namespaces exist already.  The PID namespaces of the nodes are nested in its own, so the
# kernel ends every process of every host when this one ends, for any reason.
set -euo pipefail
folder=$1 count=$2
shift 2
private=(/tmp /dev/shm /run /var/spool /var/log)

# own_folders KEEP...: mounts an empty tmpfs on each private folder.  A folder of KEEP that is inside one is mounted
# elsewhere first.
own_folders() {
  local path keep n=0
  mount -t tmpfs tmpfs /mnt
  for keep; do
    mkdir "/mnt/$n"
    mount --bind "$keep" "/mnt/$n"
    n=$((n + 1))
  done
  for path in "${private[@]}"; do mount -t tmpfs -o mode=1777 tmpfs "$path"; done
  chmod 755 /run /var/spool /var/log # munged requires that others cannot access them
  n=0
  for keep; do
    mkdir -p "$keep"
    [ "$keep" -ef "/mnt/$n" ] || mount --bind "/mnt/$n" "$keep"
    n=$((n + 1))
  done
}

# forever: process 1 of a host sleeps, and Bash reaps orphaned processes, so that no zombies remain.
forever() {
  while :; do sleep 3600 || true; done
}

# node FILE NAME KEEP...: process 1 of a node.  FILE gets its id in the PID namespace of login, whose /proc is still mounted,
# and FILE.up is made when the node is ready.
node() {
  local file=$1 name=$2 pid
  read -r pid _ </proc/self/stat
  echo "$pid" >"$file.new"
  mv "$file.new" "$file"
  shift 2
  hostname "$name"
  mount -t proc proc /proc
  own_folders "$@"
  # TCP doubles the pause before it sends again what was not acknowledged, after 0.2, 0.6, 1.4, 3 and 6.2 s, so that a link that is back
  # after 3 s may be noticed after 6.2 s.  Linux 6.15 and later can limit the pause.
  [ ! -e /proc/sys/net/ipv4/tcp_rto_max_ms ] || echo 1000 >/proc/sys/net/ipv4/tcp_rto_max_ms
  : >"$file.up"
  forever
}

# until_there FILE: waits until a file exists.
until_there() {
  for _ in $(seq 1000); do
    [ ! -e "$1" ] || return 0
    sleep 0.01
  done
  return 1
}
export -f own_folders forever node

hostname login
own_folders "$folder" "$@"
{
  echo "127.0.0.1 localhost"
  echo "10.77.0.100 login"
  for i in $(seq "$count"); do echo "10.77.0.$i node$i"; done
} >"$folder/names"
mount --bind "$folder/names" /etc/hosts
echo 5 >/proc/sys/net/ipv4/tcp_retries2 # a connection to a host that is lost fails after some 13 s, not 15 minutes
ip link set lo up
ip link add cluster type bridge stp_state 0
ip addr add 10.77.0.100/24 dev cluster
ip link set cluster up
for i in $(seq "$count"); do
  unshare --net --uts --ipc --mount --pid --fork --propagation private bash -euc "$(declare -p private); node \"\$@\"" node \
    "$folder/node$i.pid" "node$i" "$folder" "$@" &
done
for i in $(seq "$count"); do
  until_there "$folder/node$i.pid"
  pid=$(<"$folder/node$i.pid")
  ip link add "link$i" type veth peer name eth0 netns "$pid"
  ip link set "link$i" master cluster up
  nsenter -t "$pid" --net sh -c "ip link set lo up; ip addr add 10.77.0.$i/24 dev eth0; ip link set eth0 up"
done
for i in $(seq "$count"); do until_there "$folder/node$i.pid.up"; done
echo ready
forever
