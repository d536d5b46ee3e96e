# mergefft show of a snapshot: the projected density of a slab against sums in numpy, where the slab crosses the edge of the box;
# the same picture on every number of ranks; what is refused.
# TEST labels=apps+command+once timeout=120 needs=cairo
import re

import h5py
import numpy
from command import check, end, find_image, own_lines, read_png, run
from particle_truth import window
from snapshots import write_hdf5

random = numpy.random.default_rng(4)
BOX, CELLS = (60.0, 40.0, 80.0), (32, 48)  # of x and z, which --los y leaves; 32 and 64 cells would be cubes
x = random.random((4000, 3)) * BOX
x[:300] = (20.0, 1.0, 50.0) + random.normal(size=(300, 3))
mass = 1 + random.random(4000)
write_hdf5("some.hdf5", {1: {"Coordinates": x, "Masses": mass}}, [0, 4000, 0, 0, 0, 0], header={"BoxSize": BOX})


def projected(n):
    """The density of the slab y = 38 to 6 over the mean of the box."""
    off = (x[:, 1] - 2 + 20) % 40 - 20
    weight = numpy.where(abs(off) <= 4, mass, 0)
    plane = numpy.zeros(n)
    g = x[:, [0, 2]] * n / numpy.array([60.0, 80.0])
    first = numpy.floor(g - 0.5).astype(int)
    for i in numpy.ndindex(3, 3):
        at = first + numpy.array(i)
        numpy.add.at(plane, tuple((at % numpy.array(n)).T), weight * numpy.prod(window("tsc", g - at), axis=1))
    return plane * plane.size / (mass.sum() * 8 / 40)


common = ("some.hdf5", "--los", "y", "--at", 2, "--thickness", 8, "--cells", 64, "--clip", 0, "--length-unit", "Mpc/h")
for ranks in (0, 3):
    done = run("show", *common, "-o", f"slab{ranks}.png", ranks=ranks)
    with open(f"slab{ranks}.png", "rb") as file:
        check(file.read() == open("slab0.png", "rb").read(), f"another picture on {ranks}")
want = projected((48, 64))
want = numpy.maximum(want, want.size / (4000 * 8 / 40) / 16)
lo, hi = (float(word) for word in re.search(r"logarithmic colours from (\S+) to (\S+)", done.stdout).groups())
check(abs(lo / want.min() - 1) < 1e-5 and abs(hi / want.max() - 1) < 1e-5, f"{lo} to {hi}, want {want.min()} to {want.max()}")
check("slab of 8 Mpc/h about y = 2 Mpc/h" in done.stdout, done.stdout)
image = find_image(read_png("slab0.png"))[::-1].sum(axis=2)  # brighter is denser
height, width = image.shape
place = numpy.array([(i + 0.5) * height / 64 for i in range(64)]).astype(int), numpy.array([(i + 0.5) * width / 48 for i in range(48)]).astype(int)
seen = image[numpy.ix_(*place)].T
order = numpy.argsort(want.ravel())
check(numpy.all(numpy.diff(seen.ravel()[order].astype(int)) >= -3), "brightness does not follow the density")

with h5py.File("some.hdf5") as file, h5py.File("light.hdf5", "w") as light:
    file.copy("Header", light), file.copy("PartType1", light)
    light["PartType1/Masses"][...] = 0
    if "Parameters" in file:
        file.copy("Parameters", light)
lines = own_lines(run("show", "light.hdf5", "-o", "no.png", code=1, ranks=2).stderr)
check(len(lines) == 1 and "the masses in 'light.hdf5' add up to 0" in lines[0], lines)

for arguments, words in ((("--index", 3), "--index is for fields"), (("--thickness", 90), "the box is 80 along z"), (("--type", 4), "no particles of type 4")):
    lines = own_lines(run("show", "some.hdf5", "-o", "no.png", *arguments, code=2 if "--index" in arguments else 1, ranks=2).stderr)
    check(len(lines) == 1 and words in lines[0], (arguments, lines))
end()
