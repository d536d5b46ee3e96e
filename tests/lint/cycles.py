"""No cycle of files in src, apps and bindings: a file and its header are one node; an include, or the use of a symbol of another
file, is an arrow.

Symbols are read from the object files of the build, so a call through a table of functions makes no arrow.
"""
# TEST labels=lint
import collections
import glob
import os
import re
import subprocess
import sys

# Cycles of files that implement one idea together.
ALLOWED = [
    {"plan/plan_dist", "plan/tune", "plan/tune_parameters", "plan/tune_wisdom"},  # tuning makes whole plans, and plans may be tuned
]

ENDINGS = (".c", ".h", ".cu", ".cuh")


def stem(path):
    return os.path.splitext(path)[0]


def included(source, folder, target):
    """The path of an included file from `source` on: a file beside, else one below `source` or in one of its folders."""
    beside = os.path.relpath(os.path.join(folder, target), source)
    places = [beside, target, *(os.path.join(sub, target) for sub in sorted(os.listdir(source)))]
    return next((place for place in places if os.path.isfile(os.path.join(source, place))), target)


def includes(source):
    """Arrows of include lines: (node, node)."""
    for folder, _, names in os.walk(source):
        for name in (n for n in names if n.endswith(ENDINGS)):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                for target in re.findall(r'^\s*#\s*include\s+"([^"]+)"', file.read(), re.M):
                    yield stem(os.path.relpath(path, source)), stem(included(source, folder, target))


def objects(build, source):
    """Object files, each with its node, of all targets that the build of `source` has."""
    top = os.path.join(build, os.path.basename(source))
    for path in glob.glob(os.path.join(top, "**", "*.c.o"), recursive=True):
        folder, _, rest = os.path.relpath(path, top).partition("CMakeFiles" + os.sep)
        node = os.path.join(folder, rest.partition(".dir" + os.sep)[2])[:-len(".c.o")]
        if os.path.exists(os.path.join(source, node + ".c")):  # else a file of another folder, or one that no longer exists
            yield path, node


def symbols(build, source):
    """Arrows of symbols that one object file uses and another defines."""
    defined, used, nodes = {}, collections.defaultdict(set), dict(objects(build, source))
    if not nodes:
        return
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


def cycles(arrows):
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
    """Prints the cycles of these arrows that are not allowed; returns their number."""
    arrows = collections.defaultdict(set)
    for one, other in pairs:
        if one != other:
            arrows[one].add(other)
    found = [nodes for nodes in cycles(arrows) if not any(nodes <= known for known in ALLOWED)]
    for nodes in found:
        print("these files depend on each other in a cycle:")
        for node in sorted(nodes):
            print(f"  {node} uses {', '.join(sorted(arrows[node] & nodes))}")
    return len(found)


def main():
    sys.setrecursionlimit(10000)
    found = 0
    for top in ("src", "apps", "bindings"):
        source = os.path.join(os.environ["MFFT_TEST_SOURCE"], top)
        found += report(list(includes(source)) + list(symbols(os.environ["MFFT_TEST_BUILD"], source)))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
