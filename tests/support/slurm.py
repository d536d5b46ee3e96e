"""A Slurm of one node for tests: daemons, keys, ports and folders of its own, independent of any that the machine has.

The node claims 16 cores and 8 GPUs, whatever is there: Slurm counts them, and nothing of them is used.  Everything is stopped
by its process id at the end; a test that is killed leaves daemons that end themselves after LIFE_S.
"""
import contextlib
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

LIFE_S = 420
GPUS = 8
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "scancel", "sinfo")

CONFIGURATION = """
ClusterName=mergefft-test
SlurmctldHost={host}({address})
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
FirstJobId={first}
AuthType=auth/munge
AuthInfo=socket={socket},cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/slurmctld
SlurmdSpoolDir={folder}/slurmd{own}
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd{own}.log
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd{own}.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,bf_interval=2
KillWait=5
GresTypes=gpu
{nodes}"""
ONE_NODE = """
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 Boards=1 SocketsPerBoard=1 CoresPerSocket=16 ThreadsPerCore=1 Gres=gpu:{gpus} State=UNKNOWN
PartitionName=batch Nodes={host} Default=YES MaxTime=60 State=UP
"""


def why_not():
    """Why there can be no Slurm here, or None."""
    missing = [program for program in PROGRAMS if not find(program)]
    if missing:
        return f"no {', '.join(missing)} here (Debian: slurmctld, slurmd, slurm-client, munge)"
    return None if os.geteuid() == 0 else "only root can start a Slurm"


def find(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def free_port():
    """A free port, below those that the kernel assigns to clients."""
    while True:
        port = random.randrange(20000, 30000)
        with socket.socket() as s, contextlib.suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port


class Slurm:
    def __enter__(self):
        self.daemons = []
        self.short = None
        self.folder = os.path.abspath("slurm")
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in ("", "/slurmctld", "/slurmd"):
            os.mkdir(self.folder + folder, 0o755)
        self.socket = self.folder + "/munge.socket"
        if len(self.socket) > 90:  # the path of a socket must be short, and munged appends to it
            self.short = tempfile.mkdtemp()
            os.chmod(self.short, 0o755)
            self.socket = self.short + "/socket"
        self.gpus = self.make_gpus()
        host = socket.gethostname().split(".")[0]
        self.write("munge.key", os.urandom(128), 0o600)
        # PMIx and Open MPI name their files in /tmp and /dev/shm by user, job and step: jobs of two Slurms must not share an id.
        self.write("slurm.conf", CONFIGURATION.format(host=host, address="127.0.0.1", first=random.randrange(10**6, 6 * 10**7), folder=self.folder, own="",
                                                      socket=self.socket, ports=(free_port(), free_port()),
                                                      nodes=ONE_NODE.format(host=host, gpus=self.gpus)).encode())
        self.write("cgroup.conf", b"CgroupPlugin=cgroup/v1\nIgnoreSystemd=yes\n")
        self.environment = {k: v for k, v in os.environ.items()
                            if not k.startswith(("SLURM_", "SBATCH_", "SRUN_", "MERGEFFT_", "LD_PRELOAD"))}
        # Ranks that wait sleep (emulated/yield.cpp); sanitizers are left out.
        if os.path.basename(os.environ.get("LD_PRELOAD", "")) == "yield.so":
            self.environment["LD_PRELOAD"] = os.environ["LD_PRELOAD"]
        # Debian's Open MPI and Slurm both support this method of authentication between ranks.
        self.environment.update(SLURM_CONF=self.folder + "/slurm.conf", PMIX_MCA_psec="native")
        try:
            self.start("munged", "--foreground", "--force", "--key-file=" + self.folder + "/munge.key", "--socket=" + self.socket,
                       "--pid-file=" + self.folder + "/munged.pid", "--log-file=" + self.folder + "/munged.log",
                       "--seed-file=" + self.folder + "/munge.seed")
            self.until("munged listens", lambda: os.path.exists(self.socket))
            self.start("slurmctld", "-D", "-f", self.folder + "/slurm.conf")
            self.start("slurmd", "-D", "-f", self.folder + "/slurm.conf")
            self.until("the node is idle", lambda: self.run("sinfo", "-h", "-o", "%T", check=False).stdout.strip() == "idle")
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, kind, error, trace):
        if len(self.daemons) == 3:
            self.run("scancel", "--full", "-u", "root", check=False)
            with contextlib.suppress(TimeoutError):
                self.until("no job runs", lambda: not self.run("squeue", "-h", check=False).stdout.strip(), 15)
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            with contextlib.suppress(subprocess.TimeoutExpired):
                daemon.wait(10)
        for _ in range(100):  # a killed process takes a moment to end
            for pid in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            if not self.processes():
                break
            time.sleep(0.05)
        for daemon in self.daemons:
            daemon.wait()
        if self.short:
            shutil.rmtree(self.short, ignore_errors=True)
        if error and not isinstance(error, SystemExit):
            for name in sorted(os.listdir(self.folder)):
                if name.endswith((".log", ".out")):
                    with open(f"{self.folder}/{name}", errors="replace") as file:
                        print(f"---- {name}\n" + "".join(file.readlines()[-30:]), file=sys.stderr)

    def write(self, name, text, mode=0o644):
        with open(f"{self.folder}/{name}", "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)

    def make_gpus(self):
        """Device files that Slurm takes for GPUs, since it relies on its configuration; they are /dev/null.  Returns their number."""
        try:
            for i in range(GPUS):
                os.mknod(f"{self.folder}/gpu{i}", stat.S_IFCHR | 0o600, os.makedev(1, 3))
        except PermissionError:  # in a container that may not make any
            return 0
        self.write("gres.conf", f"Name=gpu File={self.folder}/gpu[0-{GPUS - 1}] Flags=nvidia_gpu_env\n".encode())
        return GPUS

    def start(self, program, *arguments):
        with open(f"{self.folder}/{program}.out", "wb") as out:
            self.daemons.append(subprocess.Popen(["timeout", "--kill-after=10", str(LIFE_S), find(program), *arguments],
                                                 stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.environment))

    def processes(self):
        """The processes that belong to this Slurm: daemons, and whatever a job has left."""
        mark = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    found.append(int(pid))
        return found

    def until(self, what, true, seconds=60):
        end = time.monotonic() + seconds
        while not true():
            if any(daemon.poll() is not None for daemon in self.daemons):
                raise RuntimeError(f"a daemon of Slurm ended while waiting until {what}")
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s until {what}")
            time.sleep(0.1)

    def run(self, program, *arguments, check=True, **environment):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=100,
                              env={**self.environment, **{k: str(v) for k, v in environment.items()}})
        if check and done.returncode:
            raise RuntimeError(f"{program} {arguments}: {done.stdout}{done.stderr}")
        return done

    def submit(self, *arguments, **environment):
        """sbatch; the job's id."""
        return self.run("sbatch", "--parsable", *arguments, **environment).stdout.strip()

    def jobs(self, job):
        """The record of a job, by Slurm's names; for each task of an array."""
        return [dict(word.split("=", 1) for word in line.split() if "=" in word)
                for line in self.run("scontrol", "-o", "show", "job", job).stdout.splitlines()]

    def wait(self, job, seconds=100):
        """Waits for the end of a job, and returns its record."""
        ends = ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY")
        self.until(f"job {job} ends", lambda: all(known["JobState"] in ends for known in self.jobs(job)), seconds)
        return self.jobs(job)
