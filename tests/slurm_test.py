"""`lockstep batch --engine slurm` with Slurm itself: its daemons on this machine, as a cluster of one node."""

import collections
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

from batch_test import BUILD, NO_GUARD, RIGHT, load, snapshot, write
from shards_test import BUSY
import stand_in_gpu
from waiting import processes, wait_until

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
EPOCH = {"SOURCE_DATE_EPOCH": "1790000000"}

CONFIGURATION = """ClusterName=lockstep
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={root}/munge.socket
CredType=cred/munge
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.pid
SlurmctldLogFile={root}/slurmctld.log
SlurmdLogFile={root}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=5
MinJobAge=5
MessageTimeout=5
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=20000 Gres=gpu:1 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=60 State=UP
PartitionName=gpus Nodes={host} MaxTime=60 State=UP
"""


def free_ports(count):
    """Numbers that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


class Cluster:
    """The daemons, in a folder of their own."""

    def __init__(self, root):
        self.root = root
        self.processes = {}
        for name in ("state", "spool"):
            os.makedirs(os.path.join(root, name))
        with open(os.path.join(root, "munge.key"), "wb") as key:
            key.write(os.urandom(1024))
        os.chmod(os.path.join(root, "munge.key"), 0o400)
        controller_port, node_port = free_ports(2)
        write(os.path.join(root, "slurm.conf"), CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], root=root, controller_port=controller_port, node_port=node_port,
            user=pwd.getpwuid(os.getuid()).pw_name))
        # Slurm counts it, and looks no further.
        write(os.path.join(root, "gres.conf"), f"Name=gpu Count=1 File={root}/gpu\n")
        write(os.path.join(root, "gpu"), "")
        self.environment = {**os.environ, **EPOCH, "SLURM_CONF": os.path.join(root, "slurm.conf")}

    def start(self, name, *command):
        with open(os.path.join(self.root, f"{name}.out"), "ab") as output:
            self.processes[name] = subprocess.Popen([shutil.which(command[0]), *command[1:]], stdin=subprocess.DEVNULL,
                                                    stdout=output, stderr=output, env=self.environment,
                                                    start_new_session=True)

    def start_controller(self):
        self.start("slurmctld", "slurmctld", "-D")

    def start_all(self):
        """Returns why the cluster does not work, or None."""
        at = self.root
        self.start("munged", "munged", "--foreground", "--force", f"--key-file={at}/munge.key",
                   f"--socket={at}/munge.socket", f"--pid-file={at}/munged.pid", f"--log-file={at}/munged.log",
                   f"--seed-file={at}/munged.seed")
        self.start_controller()
        self.start("slurmd", "slurmd", "-D")
        wait_until(lambda: self.state_of_the_node() == "idle" or self.ended())
        lines = [line for name in self.ended() for line in self.read(f"{name}.out").splitlines()[-1:]]
        return f"Slurm does not start here: {'; '.join(lines)}" if lines else self.try_job()

    def ended(self):
        """The daemons that are not there any more."""
        return [name for name, process in self.processes.items() if process.poll() is not None]

    def state_of_the_node(self):
        done = subprocess.run(["sinfo", "--noheader", "--format=%T"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, env=self.environment)
        return done.stdout.decode().strip()

    def try_job(self):
        """Returns why no job runs, or None."""
        done = subprocess.run(["sbatch", "--wait", "--output=/dev/null", "--wrap=true"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, env=self.environment)
        return None if done.returncode == 0 else f"Slurm runs no jobs here: {done.stdout.decode().strip()}"

    def read(self, name):
        with open(os.path.join(self.root, name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def stop(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def end(self, name):
        """Lets a daemon save its state: a controller that was killed gives the numbers of its last jobs to others."""
        process = self.processes.pop(name)
        process.terminate()
        process.wait()

    def stop_all(self):
        subprocess.run(["scancel", "--user", str(os.getuid())], check=False, env=self.environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self.processes:
                self.stop(name)


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        missing = [name for name in NEEDED if not shutil.which(name)]
        if missing:
            raise unittest.SkipTest(f"{missing[0]} is missing: apt-get install slurmctld slurmd slurm-client munge")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        os.chmod(cls.folder.name, 0o755)
        cls.cluster = Cluster(cls.folder.name)
        cls.addClassCleanup(cls.cluster.stop_all)
        why = cls.cluster.start_all()
        if why:
            raise unittest.SkipTest(why)

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name
        os.chmod(self.root, 0o755)
        self.heard = collections.defaultdict(str)   # what hear() has read, by process

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def make_class(self, students, busy=0):
        for number in range(students):
            source = NO_GUARD if number % 3 == 0 else RIGHT
            write(self.path("class", f"s{number}", "doublify.cu"), f"{BUSY if number < busy else source}// {number}\n")

    def command(self, out, *options, engine=("--engine", "slurm", "--jobs", "2")):
        return [f"{BUILD}/lockstep", "batch", self.path("class"), "--out", self.path(out), "--seed", "5", "--no-pages",
                *engine, *options]

    def batch(self, out, *options, status=0, environment=None, **keywords):
        done = subprocess.run(self.command(out, *options, **keywords), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, env={**self.cluster.environment, **(environment or {})})
        output = done.stdout.decode()
        self.assertEqual(done.returncode, status, output + self.logs(out))
        return " ".join(output.split())

    def logs(self, out):
        folder, text = self.path(out, "slurm", "log"), ""
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                text += f"\n--- {name}\n{file.read()}"
        return text

    def start(self, out, *options, environment=None):
        process = subprocess.Popen(self.command(out, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env={**self.cluster.environment, **(environment or {})})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def hear(self, process, words):
        """Waits for a line with these words; finish() returns it as well."""
        while words not in self.heard[process]:
            line = process.stdout.readline().decode()
            self.assertTrue(line, f"{words} never came: {self.heard[process]}")
            self.heard[process] += line

    def finish(self, process, out, status=0):
        output = self.heard[process] + process.stdout.read().decode()
        self.assertEqual(process.wait(), status, output + self.logs(out))
        return " ".join(output.split())

    def tasks(self, out, word="--shard"):
        """The process IDs of the shards of a class that are at work; with this word on their command line."""
        found = {}
        for process in processes():
            words = process.words()
            if "--shard" in words and word in words and self.path(out) in words:
                found[process.pid] = process.parent
        return [pid for pid, parent in found.items() if parent not in found]

    def graded(self, out):
        folder = self.path(out, ".lockstep", "gradings")
        entries = os.scandir(folder) if os.path.isdir(folder) else ()
        return {entry.name: entry.stat().st_mtime_ns for entry in entries if entry.name.endswith(".json")}

    def same_as_local(self, out):
        self.batch("local", engine=())
        files = {name: content for name, content in snapshot(self.path(out)).items() if not name.startswith("slurm/")}
        self.assertEqual(files, snapshot(self.path("local")))

    def test_a_class_ends_with_the_files_of_a_local_run(self):
        self.make_class(6)
        copy = self.path("copy.json")
        output = self.batch("a b%j", "--json", copy, "--time", "5", "--partition", "main")
        self.assertIn("6 gradings, about", output)
        self.assertIn("in 2 tasks submitted: job array", output)
        self.assertIn("class.json", output)
        self.same_as_local("a b%j")
        self.assertEqual(load(copy), load(self.path("a b%j", "class.json")))
        with open(self.path("a b%j", "slurm", "grade.sbatch"), encoding="utf-8") as file:
            script = file.read()
        self.assertIn("#SBATCH --array=1-2\n", script)
        self.assertIn("#SBATCH --partition=main\n", script)
        kept = self.graded("a b%j")
        self.assertNotIn("submitted", self.batch("a b%j"))
        self.assertEqual(self.graded("a b%j"), kept)

    def test_a_task_that_is_killed_is_sent_again(self):
        self.make_class(4, busy=3)
        process = self.start("out")
        wait_until(lambda: self.tasks("out") and self.graded("out"))
        os.kill(self.tasks("out")[0], signal.SIGKILL)
        self.assertIn("a task was killed, or its time was up. Sent again", self.finish(process, "out"))
        self.same_as_local("out")

    def test_a_task_at_its_time_limit_keeps_what_it_has(self):
        self.make_class(4, busy=4)
        process = self.start("out", "--jobs", "1")
        wait_until(lambda: self.graded("out"))
        job = load(self.path("out", ".lockstep", "slurm.json"))["array"]
        kept = self.graded("out")
        subprocess.run(["scancel", "--batch", "--signal=USR1", job], check=True, env=self.cluster.environment)
        self.assertIn("Sent again", self.finish(process, "out"))
        self.assertIn("stopped by signal 10 (User defined signal 1)", self.logs("out"))
        self.assertEqual({name: self.graded("out")[name] for name in kept}, kept)

    def test_interrupted_it_leaves_the_jobs_and_the_same_command_shows_them(self):
        self.make_class(4, busy=4)
        process = self.start("out")
        wait_until(lambda: self.tasks("out"))
        self.hear(process, "submitted: ")   # it takes signals by now
        process.send_signal(signal.SIGINT)
        self.assertIn("The jobs go on without this command", self.finish(process, "out", status=3))
        self.assertTrue(self.tasks("out"))
        output = self.batch("out")
        self.assertIn("the jobs of an earlier command go on", output)
        self.assertNotIn("submitted", output)
        self.assertEqual(len(self.graded("out")), 4)

    def test_a_controller_that_dies_stops_nobody(self):
        self.make_class(4, busy=4)
        process = self.start("out")
        wait_until(lambda: self.tasks("out"))
        self.cluster.end("slurmctld")
        try:
            self.assertIn("Unable to contact slurm controller", self.batch("other", status=3))
        finally:
            self.cluster.start_controller()
        self.finish(process, "out")
        self.assertEqual(len(self.graded("out")), 4)

    @unittest.skipIf(os.getuid() != 0, "only root mounts a small file system and runs jobs as other users")
    def test_a_full_disk_is_said_and_gone_on_from(self):
        self.make_class(4)
        os.makedirs(self.path("small"))
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", self.path("small")], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.path("small")], check=False)
        os.makedirs(self.path("small", "out", "slurm", "log"))
        with open(self.path("small", "ballast"), "wb") as ballast:
            ballast.write(bytes((8 << 20) - (72 << 10)))
        output = self.batch("small/out", status=3)
        self.assertIn("No space left on device", output + self.logs("small/out"))
        os.remove(self.path("small", "ballast"))
        self.batch("small/out")
        self.assertEqual(len(self.graded("small/out")), 4)

    @unittest.skipIf(os.getuid() != 0, "only root mounts a small file system and runs jobs as other users")
    def test_two_users_grade_side_by_side_and_keep_out_of_each_others_folders(self):
        self.make_class(3)
        users = [pwd.getpwnam(name) for name in ("nobody", "daemon")]
        running = []
        for user in users:
            home = self.path(user.pw_name)
            os.makedirs(home)
            os.chown(home, user.pw_uid, user.pw_gid)
            running.append(self.start_as(user, f"{user.pw_name}/out"))
        for user, process in zip(users, running):
            self.finish(process, f"{user.pw_name}/out")
            self.assertEqual({os.stat(self.path(user.pw_name, "out", name)).st_uid for name in ("class.json", "slurm/log")},
                             {user.pw_uid})
        self.assertIn("Permission denied", self.finish(self.start_as(users[1], "nobody/out"), "nobody/out", status=3))

    def start_as(self, user, out):
        process = subprocess.Popen(self.command(out), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, user=user.pw_uid,
                                   group=user.pw_gid, extra_groups=[],
                                   env={**self.cluster.environment, "HOME": self.path(user.pw_name)})
        self.addCleanup(process.stdout.close)
        return process

    # ---- timings: a queue of their own ----

    GPU = ("--device", "gpu", "--gpu-partition", "gpus", "--gres", "gpu:1")

    def timed(self, out):
        return {name: when for name, when in self.graded(out).items() if name.endswith("-gpu.json")}

    def running_timings(self):
        """How many tasks that time are running."""
        done = subprocess.run(["squeue", "--noheader", "--array", "--name=lockstep-time", "--states=RUNNING", "--format=%i"],
                              stdout=subprocess.PIPE, check=False, env=self.cluster.environment)
        return len(done.stdout.split())

    def test_what_passed_is_timed_one_at_a_time_on_each_gpu(self):
        self.make_class(7)   # s0, s3, s6 fail
        gpu = stand_in_gpu.make(self.path("gpu"))
        process = self.start("out", *self.GPU, environment=gpu)
        most = 0
        while process.poll() is None:
            most = max(most, self.running_timings())
        output = self.finish(process, "out")
        self.assertRegex(output, r"submitted: job array \d+, job array \d+ that times in 2 tasks, gathering job \d+;")
        self.assertEqual(most, 1)   # of two tasks: there is one GPU
        self.assertEqual(len(self.timed("out")), 4)
        with open(self.path("out", "slurm", "time.sbatch"), encoding="utf-8") as file:
            script = file.read()
        self.assertIn("#SBATCH --partition=gpus\n#SBATCH --gres=gpu:1\n", script)
        with open(self.path("out", "slurm", "grade.sbatch"), encoding="utf-8") as file:
            self.assertNotIn("gres", file.read())
        labs = {student["id"]: student["labs"][0] for student in load(self.path("out", "class.json"))["students"]}
        self.assertEqual(labs["s0"]["max_score"], 100)
        row = load(self.path("out", "students", "s1.json"))["labs"][0]["performance"][-1]
        self.assertEqual((row["track"], row["value"] > 0), ("time", True))
        kept = self.graded("out")
        self.assertNotIn("submitted", self.batch("out", *self.GPU, environment=gpu))
        self.assertEqual(self.graded("out"), kept)
        # a new student: only what is new is graded and timed
        write(self.path("class", "s7", "doublify.cu"), f"{RIGHT}// 7\n")
        self.assertIn("submitted", self.batch("out", *self.GPU, environment=gpu))
        self.assertEqual({name: self.graded("out")[name] for name in kept}, kept)
        self.assertEqual(len(self.timed("out")), 5)
        self.assertEqual(self.batch("out", "--no-pages").count("submitted"), 0)   # without times: all is graded

    def test_a_timing_that_is_killed_or_interrupted_is_gone_on_with(self):
        self.make_class(6)
        gpu = stand_in_gpu.make(self.path("gpu"))
        process = self.start("out", *self.GPU, environment=gpu)
        found = []
        wait_until(lambda: found.extend(self.tasks("out", "--device")) or found)
        os.kill(found[0], signal.SIGSTOP)   # it has not ended, whatever the machine's load
        process.send_signal(signal.SIGINT)
        self.assertRegex(self.finish(process, "out", status=3), r"The jobs go on without this command: \d+, \d+, \d+\.")
        graded = {name: when for name, when in self.graded("out").items() if not name.endswith("-gpu.json")}
        self.assertEqual(len(graded), 6)
        self.assertLess(len(self.timed("out")), 4)
        process = self.start("out", *self.GPU, environment=gpu)
        self.hear(process, "the jobs of an earlier command go on")
        os.kill(found[0], signal.SIGKILL)
        output = self.finish(process, "out")
        self.assertIn("the jobs of an earlier command go on", output)
        self.assertRegex(output, r"\d timings? (is|are) left: a task was killed, or its time was up. Sent again")
        self.assertEqual(len(self.timed("out")), 4)
        self.assertEqual({name: self.graded("out")[name] for name in graded}, graded)

    def test_without_a_gpu_a_class_is_graded_only_for_who_says_so(self):
        self.make_class(2)
        output = self.batch("out", "--device", "gpu", "--gres", "gpu:h100:1", status=3)
        self.assertIn("Slurm has no GPU for the timings (--gpu-partition, --gres): sbatch failed:", output)
        self.assertIn("Nothing was submitted. With --device emulated the class is graded without times.", output)
        self.assertEqual(self.graded("out"), {})
        # Slurm has one, the node does not: its driver is missing
        output = self.batch("out", *self.GPU, status=3, environment={"LD_LIBRARY_PATH": ""})
        self.assertRegex(output, r"the node \S+ cannot time: \S+ has no GPU for --device gpu: no NVIDIA driver")
        self.assertEqual(load(self.path("out", "class.json"))["students"][1]["labs"][0]["score"], 100)
        self.assertIn("1 timing is left", output)
        self.batch("out", "--device", "emulated")
        self.same_as_local("out")

    def test_what_slurm_refuses_is_said_in_its_words(self):
        self.make_class(1)
        self.assertIn("Invalid partition name", self.batch("out", "--partition", "nowhere", status=3))
        self.assertIn("scontrol was not found", self.batch("out", environment={"PATH": "/nowhere"}, status=3))
        self.batch("out")


if __name__ == "__main__":
    unittest.main()
