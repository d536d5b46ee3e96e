"""The subjects of new commits: "room: Imperative verb ...", at most 72 characters.

Commits up to FIRST are as they are.  A verb is told by what it is not: an article, a question word, or a word in -s, -ed or
-ing.
"""
# TEST labels=lint
import os
import re
import subprocess
import sys

FIRST = "cc53a9e"  # the last commit before this rule
LONGEST = 72
NO_VERBS = set("a an the no not only all each every any some what which that this these those there where when why how who "
               "with without under over beside behind before after as if in on of for from by at to into one two three "
               "fewer less more new now also and or but it its is are was".split())
VERBS_IN_S_D_G = set("pass process address express miss discuss focus compress access bypass guess assess press cross need "
                     "embed shed feed speed seed add read lead load thread spread build bind find rebuild send extend end "
                     "hold bring string ping".split())


def git(*words):
    return subprocess.run(["git", *words], cwd=os.environ["MFFT_TEST_SOURCE"], capture_output=True, text=True, check=False)


def complaint(subject):
    """What is wrong with a subject; None: nothing."""
    if len(subject) > LONGEST:
        return f"has {len(subject)} characters, {LONGEST} are allowed"
    parts = re.fullmatch(r"([a-z0-9_./-]+): ([A-Z][A-Za-z-]*)\b.*", subject)
    if not parts:
        return 'is not of the form "room: Verb ..."'
    verb = parts[2].lower()
    if verb in NO_VERBS or (re.search(r"(s|ed|ing)$", verb) and verb not in VERBS_IN_S_D_G):
        return f'begins with "{parts[2]}", which is no imperative verb'
    return None


def main():
    if git("merge-base", "--is-ancestor", FIRST, "HEAD").returncode:
        print("no history here to check")
        sys.exit(77)
    failed = 0
    for line in git("log", "--no-merges", "--format=%h %s", f"{FIRST}..HEAD").stdout.splitlines():
        commit, subject = line.split(" ", 1)
        wrong = complaint(subject)
        if wrong:
            print(f"{commit}: the subject \"{subject}\" {wrong}")
            failed = 1
    sys.exit(failed)


if __name__ == "__main__":
    main()
