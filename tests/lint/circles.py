"""No circle of files: a file and its header are one node; an include, or in src the use of a symbol of another file, is an arrow.

Symbols are read from the object files of the build, so a call through a table of functions makes no arrow.  In apps a header
may declare what several files define, so only its includes are arrows.
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
    """Arrows of include lines: (node, node).  A name is one below `source`, or of a file in the same folder."""
    for folder, _, names in os.walk(source):
        for name in names:
            if name.endswith((".c", ".h", ".cu", ".cuh")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for target in re.findall(r'^\s*#\s*include\s+"([^"]+)"', file.read(), re.M):
                        beside = os.path.relpath(os.path.join(folder, target), source)
                        yield stem(os.path.relpath(path, source)), stem(target if "/" in target else beside)


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


def report(pairs):
    """Prints the circles of these arrows that are not allowed; returns their number."""
    arrows = collections.defaultdict(set)
    for one, other in pairs:
        if one != other:
            arrows[one].add(other)
    found = [nodes for nodes in circles(arrows) if not any(nodes <= known for known in ALLOWED)]
    for nodes in found:
        print("these files make a circle:")
        for node in sorted(nodes):
            print(f"  {node} uses {', '.join(sorted(arrows[node] & nodes))}")
    return len(found)


def main():
    sys.setrecursionlimit(10000)
    root = os.environ["MFFT_TEST_SOURCE"]
    source = os.path.join(root, "src")
    found = report(list(includes(source)) + list(symbols(os.environ["MFFT_TEST_BUILD"], source)))
    found += report(includes(os.path.join(root, "apps")))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
