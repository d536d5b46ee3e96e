"""A Slurm on hosts made of namespaces (hosts.py): the controller and the commands on node1, a node of two cores on every host.
Its daemons end with the hosts."""
import os
import random
import time

from hosts import OPEN_MPI, Hosts
from slurm import CONFIGURATION, Slurm, find

SOCKET = "/run/munge.socket"  # private to each host
PORTS = (26817, 26818)
NODES = """
SlurmdTimeout=4
NodeName=node[1-{count}] NodeAddr=10.77.0.[1-{count}] CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=60 State=UP
"""


class SlurmOfHosts(Slurm):
    """with Hosts(4) as hosts, SlurmOfHosts(hosts) as slurm: slurm.submit(...), as on a Slurm of one node."""

    def __init__(self, hosts: Hosts):
        self.hosts = hosts

    def __enter__(self):
        self.daemons = []
        self.folder = self.hosts.folder + "/slurm"
        os.makedirs(self.folder + "/slurmctld")
        self.write("munge.key", os.urandom(128), 0o600)
        self.write("cgroup.conf", b"CgroupPlugin=cgroup/v1\nIgnoreSystemd=yes\n")
        self.write("slurm.conf", CONFIGURATION.format(host="node1", address="10.77.0.1", first=random.randrange(10**6, 6 * 10**7), folder=self.folder,
                                                      own="-%n", socket=SOCKET, ports=PORTS, nodes=NODES.format(count=self.hosts.count)).encode())
        kept = {k: v for k, v in os.environ.items() if k.startswith(("SLURM_", "SBATCH_", "SRUN_", "MERGEFFT_", "LD_PRELOAD"))}
        self.environment = {**OPEN_MPI, "SLURM_CONF": self.folder + "/slurm.conf", "PMIX_MCA_psec": "native", **dict.fromkeys(kept, "")}
        for i in range(self.hosts.count):
            self.begin(f"node{i + 1}", "munged", "--foreground", "--force", "--key-file=" + self.folder + "/munge.key", "--socket=" + SOCKET,
                       "--pid-file=/run/munged.pid", "--log-file=/run/munged.log", "--seed-file=/run/munge.seed")
        self.begin("node1", "slurmctld", "-D", "-i")
        for i in range(self.hosts.count):
            self.begin(f"node{i + 1}", "slurmd", "-D")
        self.until("all nodes are idle", lambda: self.run("sinfo", "-h", "-o", "%T %D", check=False).stdout.strip() == f"idle {self.hosts.count}")
        return self

    def __exit__(self, *_):
        """The hosts end all daemons, and what jobs have left."""

    def begin(self, host, program, *arguments):
        self.daemons.append(self.hosts.begin(host, find(program), *arguments, **self.environment))

    def run(self, program, *arguments, check=True, **environment):
        process = self.hosts.begin("node1", program, *arguments, **{**self.environment, **environment})
        code, said = self.hosts.finish(process, 100)
        if check and code:
            raise RuntimeError(f"{program} {arguments}: {said}")
        process.stdout = said
        return process

    def until(self, what, true, seconds=60):
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s until {what}")
            time.sleep(0.1)
