"""The subjects of new commits: "area: Imperative verb ...", or several areas with commas, at most 72 characters.

Commits up to FIRST are as they are.  An infinitive is recognised by exclusion: an article or another little word, a third person
in -s, a past in -ed or one of the irregular ones, or a form in -ing.  Where the history does not reach back to FIRST the test is
skipped.
"""
# TEST labels=lint needs=history
import os
import re
import subprocess
import sys

FIRST = "cc53a9e292101a86c06554524f77359d2c608d52"  # the last commit before this rule
LONGEST = 72
NO_VERBS = set("a an the no not only all each every any some what which that this these those there where when why how who whose "
               "whether whoever with without under over beside behind before after as if in on of for from by at to into one two "
               "three ten both half fewer less more new now also and or but it its i we you they is are was were be been "
               "made found kept took wrote gave got went built sent held did had has does".split())
INFINITIVES = {  # for each ending of other verb forms, the infinitives with that ending
    "s": set("alias bias canvas focus".split()),
    "ed": set("bed embed shed shred wed".split()),
    "ing": set("bring cling fling ping ring sing spring sting string swing".split()),
}


def is_infinitive(verb):
    if verb in NO_VERBS:
        return False
    if verb.endswith(("ss", "eed")):  # pass, address, need, exceed
        return True
    return all(verb in known for ending, known in INFINITIVES.items() if verb.endswith(ending))


def git(*words):
    return subprocess.run(["git", *words], cwd=os.environ["MFFT_TEST_SOURCE"], capture_output=True, text=True, check=False)


def complaint(subject):
    """The error in a subject; None if it is right."""
    if len(subject) > LONGEST:
        return f"has {len(subject)} characters, {LONGEST} are allowed"
    parts = re.fullmatch(r"([a-z0-9_./-]+(?:, [a-z0-9_./-]+)*): ([A-Z][A-Za-z-]*)\b.*", subject)
    if not parts:
        return 'is not of the form "area: Verb ..."'
    if not is_infinitive(parts[2].lower()):
        return f'begins with "{parts[2]}", which is no imperative verb'
    return None


def main():
    if git("merge-base", "--is-ancestor", FIRST, "HEAD").returncode:
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
