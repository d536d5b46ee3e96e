"""No circle of files: a file and its header are one node; an include, or the use of a symbol of another file, is an arrow.

Symbols are read from the object files of the build, so a call through a table of functions makes no arrow.
"""
# TEST labels=lint
import collections
import os
import re
import subprocess
import sys

# Circles of files that implement one idea together.
ALLOWED = [
    {"plan/plan_dist", "plan/tune", "plan/tune_parameters", "plan/tune_wisdom"},  # tuning makes whole plans, and plans may be tuned
]


def stem(path):
    return os.path.splitext(path)[0]


def includes(source):
    """Arrows of include lines: (node, node)."""
    for folder, _, names in os.walk(source):
        if "/kernels" in folder:
            continue
        for name in names:
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for target in re.findall(r'^\s*#\s*include\s+"([^"]+/[^"]+)"', file.read(), re.M):
                        yield stem(os.path.relpath(path, source)), stem(target)


def symbols(build, source):
    """Arrows of symbols that one object file uses and another defines."""
    objects = os.path.join(build, "src", "CMakeFiles", "mergefft.dir")
    defined, used, nodes = {}, collections.defaultdict(set), {}
    for folder, _, names in os.walk(objects):
        for name in (n for n in names if n.endswith(".c.o")):
            path = os.path.join(folder, name)
            node = os.path.relpath(path, objects)[:-len(".c.o")]
            if os.path.exists(os.path.join(source, node + ".c")):  # else an entry for a file that no longer exists
                nodes[path] = node
    for line in subprocess.run(["nm", "-A", "-g", *nodes], capture_output=True, text=True, check=True).stdout.splitlines():
        path, words = line.split(".c.o:")
        node, (kind, symbol) = nodes[path + ".c.o"], words.split()[-2:]
        if kind == "U":
            used[node].add(symbol)
        else:
            defined[symbol] = node
    for node, names in used.items():
        for symbol in names:
            if symbol in defined:
                yield node, defined[symbol]


def circles(arrows):
    """Sets of nodes that reach each other (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(arrows.get(node, ())):
            if target not in index:
                visit(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == index[node]:
            place = stack.index(node)
            found.append(set(stack[place:]))
            del stack[place:]

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return [nodes for nodes in found if len(nodes) > 1]


def main():
    sys.setrecursionlimit(10000)
    arrows = collections.defaultdict(set)
    source = os.path.join(os.environ["MFFT_TEST_SOURCE"], "src")
    for one, other in list(includes(source)) + list(symbols(os.environ["MFFT_TEST_BUILD"], source)):
        if one != other:
            arrows[one].add(other)
    failed = 0
    for nodes in circles(arrows):
        if any(nodes <= known for known in ALLOWED):
            continue
        failed = 1
        print("these files make a circle:")
        for node in sorted(nodes):
            print(f"  {node} uses {', '.join(sorted(arrows[node] & nodes))}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
