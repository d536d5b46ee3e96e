# `mergefft show`: the pixels of the PNG against numpy, the same for every number of ranks; the texts of SVG and PDF; what --scale
# and --zoom show; and its errors.
# TEST labels=apps+command+once timeout=300 needs=cairo
import os
import xml.etree.ElementTree

import h5py
import numpy
from command import check, end, find_image, own_lines, png_size, read_png, run, svg_texts


def shown(path, width, height):
    """The image alone, gray, as [horizontal][vertical] from the lower left corner, from 0 to 1."""
    image = find_image(read_png(path))
    check(image.shape == (height, width, 3), f"{path}: an image of {image.shape}, not of {width} x {height}")
    check((image[..., 0] == image[..., 1]).all() and (image[..., 0] == image[..., 2]).all(), "not gray")
    return image[::-1, :, 0].T / 255


def blocks(cells, factor):
    return numpy.kron(cells, numpy.ones((factor, factor)))


if "picture" not in run("show", "--help").stdout:
    check(False, "show --help")
random = numpy.random.default_rng(1)
field = random.random((8, 12, 16))
random_field = field.copy()
with h5py.File("f.h5", "w") as file:
    file["f"] = field
    file["f"].attrs["BoxSize"] = [0.5, 0.75, 1.0]

# A slice along each axis: cells are squares of pixels, x (or y) to the right, y (or z) upwards.
common = ["-c", "gray", "--min", 0, "--max", 1]
for axis, index, want, width in (("z", 5, field[:, :, 5], 96), ("y", 0, field[:, 0, :], 128), ("x", 7, field[7], 128)):
    for ranks in (0, 3) if axis == "z" else (0, 2):
        run("show", "f.h5", "-o", f"{axis}{min(ranks, 1)}.png", "--los", axis, "-i", index, "-w", width, *common, ranks=ranks)
    factor = width // max(want.shape)
    got = shown(f"{axis}0.png", want.shape[0] * factor, want.shape[1] * factor)
    check(abs(got - blocks(want, factor)).max() < 0.5001 / 255, f"slice along {axis}")
    with open(f"{axis}0.png", "rb") as a, open(f"{axis}1.png", "rb") as b:
        check(a.read() == b.read(), f"the picture along {axis} depends on the ranks")

# Projections, of all cells and of some, on more ranks than planes too.
for how, rule, axis, ranks in (("mean", numpy.mean, 0, 3), ("sum", numpy.sum, 1, 0), ("max", numpy.max, 2, 9),
                               ("min", numpy.min, 0, 2), ("mean", numpy.mean, 2, 0)):
    want = rule(numpy.take(field, range(2, 6), axis), axis=axis)
    run("show", "f.h5", "-o", "p.png", "-P", how, "--los", "xyz"[axis], "-i", 2, "--depth", 4, "-w", 96 if axis == 2 else 128,
        "-c", "gray", "--scale", "linear", "--min", want.min(), "--max", want.max(), ranks=ranks)
    got = shown("p.png", want.shape[0] * 8, want.shape[1] * 8)
    want = (want - want.min()) / (want.max() - want.min())
    check(abs(got - blocks(want, 8)).max() < 0.5001 / 255, f"{how} along {axis} on {ranks}")

# Logarithmic colours; more cells than pixels are averaged; smooth pictures have the values of the cells at their centres.
run("show", "f.h5", "-o", "log.png", "-c", "gray", "--scale", "log", "--add", 1, "--min", 1, "--max", 2, "-w", 96, "-i", 0)
want = numpy.log2(1 + field[:, :, 0])
check(abs(shown("log.png", 64, 96) - blocks(want, 8)).max() < 0.5001 / 255, "log")
large = random.random((256, 256, 1))
with h5py.File("large.h5", "w") as file:
    file["f"] = large
run("show", "large.h5", "-o", "small.png", "-w", 64, *common)
want = large[:, :, 0].reshape(64, 4, 64, 4).mean(axis=(1, 3))
check(abs(shown("small.png", 64, 64) - want).max() < 0.5001 / 255, "averaged")
run("show", "f.h5", "-o", "smooth.png", "--smooth", "-w", 84, "-i", 3, *common)  # 7 pixels a cell: one is in the middle
check(abs(shown("smooth.png", 56, 84)[3::7, 3::7] - field[:, :, 3]).max() < 0.5001 / 255, "smooth")

# NaN is drawn in its own colour and reported; constant fields are drawn.
field[2, 3, 4] = numpy.nan
with h5py.File("nan.h5", "w") as file:
    file["f"] = field
done = run("show", "nan.h5", "-o", "nan.png", "-i", 4, "-w", 96, *common, ranks=2)
check("1 values are NaN" in done.stderr, done.stderr)
pixel = find_image(read_png("nan.png"))[96 - 1 - 3 * 8, 2 * 8]
check(pixel[1] > pixel[0] + 100 and pixel[1] > pixel[2] + 50, f"NaN is {pixel}")
run("gen", "-o", "flat.h5", "-n", 4, "--kind", "uniform", "-A", 0)
run("show", "flat.h5", "-o", "flat.png")
run("show", "flat.h5", "-o", "flat.png", "--scale", "log", "--add", 3)

# With --scale log, values that are not above 0 are counted and have a colour of their own, also in smooth pictures.
signed = numpy.abs(random.standard_normal((8, 12, 16))) + 0.1
signed[1, 2, 4] = -1
signed[6, 7, 4] = 0
with h5py.File("signed.h5", "w") as file:
    file["f"] = signed
for more, colour in (([], (0xc4, 0xc4, 0xc4)), (["--smooth"], (0xc4, 0xc4, 0xc4)), (["-c", "gray"], (0xff, 0x80, 0xc0))):
    done = run("show", "signed.h5", "-o", "signed.png", "--scale", "log", "-i", 4, "-w", 96, *more, ranks=len(more))
    check("logarithmic colours: 2 of 96 values are not above 0" in done.stderr, done.stderr)
    image = find_image(read_png("signed.png"))[::-1]
    masked = (image == colour).all(axis=2).T
    want = blocks(signed[:, :, 4] <= 0, 8).astype(bool)
    check((masked == want).all(), f"{more}: {masked.sum()} pixels are masked, want {want.sum()}")
check("above 0" not in run("show", "signed.h5", "-o", "signed.png", "--scale", "log", "--add", 2, "-i", 4).stderr, "2 + f is above 0")

# The same figure in all formats: SVG and PDF keep their texts; titles, units and the scale bar; names in capitals.
contrast = numpy.exp(2 * random.standard_normal((16, 16, 16)))
contrast = contrast / contrast.mean() - 1
with h5py.File("web.h5", "w") as file:
    for name, values, unit in (("delta", contrast, ""), ("phi", random.standard_normal(contrast.shape), "(km/s)^2")):
        file[name] = values
        file[name].attrs["BoxSize"] = 250.0
        file[name].attrs["Redshift"] = 0.5
        if unit:
            file[name].attrs["units"] = unit


done = run("show", "web.h5", "-d", "delta", "-o", "web.SVG", "--length-unit", "Mpc/h", "--los", "y", "-i", 8)
check("1 + delta, slice at y = 125 Mpc/h" in done.stdout and "logarithmic colours" in done.stdout, done.stdout)
words, title = svg_texts("web.SVG")
check(title == "delta at redshift 0.5" and {title, "slice at y = 125 Mpc/h", "x [Mpc/h]", "z [Mpc/h]", "1 + delta", "50 Mpc/h", "250", "1",
                                            "0.1"} <= set(words), f"{title}: {words}")
run("show", "web.h5", "-d", "phi", "-o", "phi.svg", "--title", "a < b & c", "-P", "mean", "--depth", 4)
words, title = svg_texts("phi.svg")
check(title == "a < b & c" and {title, "mean over z = 0 to 62.5", "x", "y", "phi [(km/s)^2]", "50", "0"} <= set(words), f"{title}: {words}")
check(any(word.startswith("−") for word in words), f"a range about 0: {words}")
run("show", "web.h5", "-d", "delta", "-o", "web.pdf", "--length-unit", "Mpc/h")
with open("web.pdf", "rb") as file:
    pdf = file.read()
check(pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF") and b"delta at redshift 0.5" in pdf, "a PDF with its title")

# Properties of the colour maps: the ends of viridis, the middle of coolwarm, and 1 + delta in inferno by its logarithm.
ends = numpy.zeros((8, 8, 1))
ends[4:] = 1
with h5py.File("ends.h5", "w") as file:
    file["ends"], file["both"], file["web"] = ends, 2 * ends - 1, numpy.where(ends > 0, 99.0, -0.99)
for name, lowest, highest in (("ends", 0x440154, 0xfde725), ("both", 0x3b4cc0, 0xb40426), ("web", 0x000004, 0xfcffa4)):
    run("show", "ends.h5", "-d", name, "-o", "ends.png", "-w", 64)
    image = find_image(read_png("ends.png"))
    got = [int(sum(int(c) << shift for c, shift in zip(image[32, x], (16, 8, 0)))) for x in (16, 48)]
    check(got == [lowest, highest], f"{name}: {got[0]:#08x} and {got[1]:#08x}")

# --zoom shows a square about a point, also across the boundary of the periodic box, and chooses its colours by the values in
# it.
run("show", "f.h5", "-o", "zoomed.png", "-i", 5, "-w", 96, "--zoom", "0.25,0.375,0.25", *common)  # 4 cells of 1/16 a side
check(abs(shown("zoomed.png", 96, 96) - blocks(random_field[2:6, 4:8, 5], 24)).max() < 0.5001 / 255, "--zoom")
run("show", "f.h5", "-o", "zoomed.png", "-i", 5, "-w", 96, "--zoom", "0,0.75,0.25", *common)
want = numpy.roll(random_field[:, :, 5], (2, 2), axis=(0, 1))[:4, :4]
check(abs(shown("zoomed.png", 96, 96) - blocks(want, 24)).max() < 0.5001 / 255, "--zoom across the border")
done = run("show", "f.h5", "-o", "zoomed.png", "-i", 5, "--zoom", "0.25,0.375,0.25", "--clip", 0)
part = random_field[2:6, 4:8, 5]
check(f"colours from {part.min():.6g} to {part.max():.6g}" in done.stdout, done.stdout)

# Text grows with the picture: the margin of the image is in proportion, and at small sizes as wide as the text needs.
margins = {}
for width in (64, 768, 1536):
    done = run("show", "f.h5", "-o", "sized.png", "-w", width, *common)
    check(f" x {width} pixels" in done.stdout, done.stdout)
    margins[width] = png_size("sized.png")[1] - width
check(abs(margins[1536] / margins[768] - 2) < 0.05 and margins[64] > 64, f"margins {margins}")

# A low picture also has space for the colour bar and its name.
run("show", "web.h5", "-d", "phi", "-o", "low.svg", "-L", "1,1,0.02", "--los", "x", "-w", 200)
height = float(xml.etree.ElementTree.parse("low.svg").getroot().attrib["viewBox"].split()[3])
check(height > 120 and "phi [(km/s)^2]" in svg_texts("low.svg")[0], f"a height of {height}")

# Values that differ by a few steps of a double, or overflow: the bar counts from an offset, and an invalid range is refused.
far = numpy.full((8, 8, 8), 1e16)
far[2, 3, 4], far[5, 6, 4] = 1e16 - 2, 1e16 + 2
huge = numpy.where(random.random((8, 8, 8)) < 0.5, -1.7e308, 1.7e308)
with h5py.File("far.h5", "w") as file:
    file["far"], file["huge"] = far, huge
done = run("show", "far.h5", "-d", "far", "-o", "far.png", "-i", 4, "-w", 64, "-c", "gray", "--clip", 0)
check("colours from 9999999999999998 to 10000000000000002" in done.stdout, done.stdout)
got = shown("far.png", 64, 64)
check(abs(got - blocks((far[:, :, 4] - (1e16 - 2)) / 4, 8)).max() < 0.5001 / 255, "far from 0")
run("show", "far.h5", "-d", "far", "-o", "far.png", "--scale", "log", "--smooth")
check("overflows" in run("show", "far.h5", "-d", "huge", "-o", "huge.png", code=1).stderr, "a range beyond doubles")

# A file with checksums is verified, along every axis and on any number of ranks: a block of zeros, and two blocks that are
# exchanged, are refused.  If a file cannot be verified a message says so.
run("gen", "-o", "whole.h5", "-n", "24x16x32", "--kind", "white", "-d", "f")
with h5py.File("whole.h5") as file:
    offset, values = file["f"].id.get_offset(), file["f"][...]
with open("whole.h5", "rb") as file:
    whole = file.read()
first, second = offset + 8 * (13 * 512 + 32), offset + 8 * (17 * 512 + 64)  # in planes 13 and 17 of x
zeroed, swapped = bytearray(whole), bytearray(whole)
zeroed[first:first + 512] = bytes(512)
swapped[first:first + 512], swapped[second:second + 512] = whole[second:second + 512], whole[first:first + 512]
for name, content in (("zeroed", zeroed), ("swapped", swapped)):
    with open(f"{name}.h5", "wb") as file:
        file.write(content)
    views = ((3, ["--los", "x", "-i", 13]), (2, ["--los", "z", "-i", 3]), (0, ["--los", "y"]), (0, ["-P", "max"]))
    for ranks, view in views if name == "zeroed" else views[:2]:
        done = run("show", f"{name}.h5", "-o", "x.png", *view, ranks=ranks, code=1)
        check("is damaged: planes x = 13" in done.stderr and not os.path.exists("x.png"), f"{name} {view}: {done.stderr}")
    run("show", f"{name}.h5", "-o", "good.png", "--los", "x", "-i", 12, ranks=2)  # a plane that is whole
    done = run("show", f"{name}.h5", "-o", "good.png", "--los", "z", "--no-verify", ranks=2)
    check("are not verified: --no-verify" in done.stderr, done.stderr)
check(run("show", "whole.h5", "-o", "good.png", ranks=3).stderr == "", "a verified file is shown without a message")
check("are not verified: the file has no checksums" in run("show", "far.h5", "-d", "far", "-o", "far.png").stderr, "no checksums")

with h5py.File("box.h5", "w") as file:
    file["f"] = field
    file["f"].attrs["BoxSize"] = [1.0, 1e200, 1.0]
files_before = sorted(os.listdir("."))
for arguments, code, words in ((["f.h5", "-o", "no/x.png"], 1, "no/x.png"),
                               (["box.h5", "-o", "x.png"], 1, "1e+200 along y"), (["f.h5", "-o", "x.png", "-L", 1e31], 2, "1e+30"),
                               (["f.h5", "-o", "x.png", "-i", 16], 2, "--index"),
                               (["f.h5", "-o", "x.png", "--depth", 3], 2, "--project"), (["f.h5"], 2, "--output"),
                               (["f.h5", "-o", "x.png", "-P", "sum", "-i", 15, "--depth", 3], 2, "--depth"),
                               (["f.h5", "-o", "x.png", "--min", 2, "--max", 1], 1, "--min"),
                               (["flat.h5", "-o", "x.png", "--scale", "log"], 1, "--add"), (["none.h5", "-o", "x.png"], 1, "none.h5"),
                               (["none.h5", "-o", "x.jpg"], 2, ".png, .svg or .pdf"), (["none.h5", "-o", "png"], 2, ".png, .svg or .pdf"),
                               (["none.h5", "-o", "a.svg/x"], 2, ".png, .svg or .pdf"), (["none.h5", "-o", "-"], 2, ".png, .svg or .pdf"),
                               (["f.h5", "-o", "x.png", "--zoom", "1,2"], 2, "--zoom"), (["f.h5", "-o", "x.png", "--zoom", 3], 2, "--zoom"),
                               (["f.h5", "-o", "x.png", "--zoom", "0,0,0.6"], 1, "no longer than"),
                               (["f.h5", "-o", "x.png", "--zoom", "0,0,0"], 1, "must be above 0"),
                               (["f.h5", "-o", "x.png", "-c", "jet"], 2, "viridis"),
                               (["f.h5", "-o", "x.png", "-w", 1], 2, "-w"), (["f.h5", "-o", "x.png", "-L", "1,2"], 2, "-L 1,2")):
    done = run("show", *arguments, ranks=2 if words == "no/x.png" else 0, code=code)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, f"{arguments}: {done.stderr}")
check(sorted(os.listdir(".")) == files_before, f"files remain: {set(os.listdir('.')) - set(files_before)}")
end()
