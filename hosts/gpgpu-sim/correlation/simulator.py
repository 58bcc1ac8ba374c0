"""How GPGPU-Sim is configured and run here: machines of machines.toml, programs of kernels.cu and nested.cu."""
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent


def command(words, **more):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def machines():
    return tomllib.loads((HERE / "machines.toml").read_text())


def configure(simulator, machine, folder):
    """The simulator's files, with the options of the machine in the place of its own."""
    shutil.copytree(simulator / "configs/tested-cfgs" / machine["simulator"], folder, dirs_exist_ok=True)
    file = folder / "gpgpusim.config"
    changed = machine["options"]
    kept = [line for line in file.read_text().splitlines() if not line.startswith("-") or line.split()[0][1:] not in changed]
    file.write_text("\n".join(kept + [f"-{name} {value}" for name, value in changed.items() if value is not False]) + "\n")


def nvcc(to, *words):
    """Into its place when it is whole, for another run may be executing the one before."""
    new = to.with_suffix(f".{os.getpid()}")
    command(["nvcc", "-arch", "sm_35", "--cudart", "shared", "-Wno-deprecated-gpu-targets", "-O2", *words, "-o", new])
    new.replace(to)


def compile_programs(to):
    nvcc(to, HERE / "kernels.cu")


def compile_nested(to):
    """The program that launches from the device, and the tools with which the simulator finds its PTX: a folder to be CUDA_INSTALL_PATH.

    4.2 asks cuobjdump for what is linked at once, not for parts that are linked later, does not know the device runtime's own, and leaves
    their extraction to its user (`extract`); and ptxas has to be told that such a part is not whole."""
    nvcc(to, "-rdc=true", HERE / "nested.cu", "-lcudadevrt")
    cuda, tools = pathlib.Path(os.environ.get("CUDA_INSTALL_PATH", "")), to.parent / "cuda"
    (tools / "bin").mkdir(parents=True, exist_ok=True)
    scripts = {"cuobjdump": f'case "$1" in -lptx) {cuda}/bin/cuobjdump -all "$@" | grep sm_35;; *) exec {cuda}/bin/cuobjdump -all "$@";; esac',
               "ptxas": f'exec {cuda}/bin/ptxas --compile-only "$@"', "nvcc": f'exec {cuda}/bin/nvcc "$@"'}
    for name, line in scripts.items():
        (tools / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
        (tools / "bin" / name).chmod(0o755)
    return tools


def extract(program, tools, folder):
    """Its PTX, into the folder that it runs in."""
    for file in command([tools / "bin/cuobjdump", "-lptx", program]).split():
        if file.endswith(".ptx"):
            command([tools / "bin/cuobjdump", "-xptx", file, program], cwd=folder)


def environment(simulator):
    """What a program needs to run in the simulator in place of a GPU."""
    library = next((simulator / "lib").rglob("libcudart.so"), None) or sys.exit(f"{simulator}: no lib/**/libcudart.so; is it built?")
    cuda = os.environ.get("CUDA_INSTALL_PATH") or sys.exit("CUDA_INSTALL_PATH is not set")
    return {**os.environ, "LD_LIBRARY_PATH": str(library.parent), "GPGPUSIM_ROOT": str(simulator), "PTXAS_CUDA_INSTALL_PATH": cuda,
            "CUOBJDUMP_SIM_FILE": "none"}
