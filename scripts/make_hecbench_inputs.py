#!/usr/bin/env python3
"""make_hecbench_inputs.py SRC: writes files of input that HeCBench's programs read and its repository
does not hold, into SRC, its folder src: of the kind and about the size that their loaders want, and
made up. What is there already stays."""

import array
import bz2
import os
import random
import struct
import sys

chance = random.Random(20261127)
root = sys.argv[1]


def put(path, content):
    path = os.path.join(root, path)
    if os.path.exists(path):
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    print(path)


def lines(count, line):
    return "".join(line(at) + "\n" for at in range(count))


def bitmap(width, height):
    """24 bits a pixel, from below."""
    size = 54 + width * height * 3
    head = b"BM" + struct.pack("<IHHI", size, 0, 0, 54)
    head += struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, size - 54, 2835, 2835, 0, 0)
    return head + chance.randbytes(size - 54)


def pixmap(width, height):
    return b"P6\n%d %d\n255\n" % (width, height) + chance.randbytes(width * height * 3)


def sky(side, sources):
    """Floats of 32 bits: nothing but a few points."""
    image = array.array("f", bytes(4 * side * side))
    for _ in range(sources):
        image[chance.randrange(side * side)] = chance.uniform(0.5, 5)
    return image


def point_spread(side):
    image = array.array("f", bytes(4 * side * side))
    for y in range(-8, 9):
        for x in range(-8, 9):
            image[(side // 2 + y) * side + side // 2 + x] = 1 / (1 + x * x + y * y)
    return image.tobytes()


def libsvm(rows, columns, each):
    def row(_):
        at = sorted(chance.sample(range(1, columns + 1), each))
        return chance.choice(["+1", "-1"]) + "".join(f" {i}:{chance.uniform(-1, 1):.6f}" for i in at)
    return lines(rows, row)


def number(low=0.0, high=1.0):
    return f"{chance.uniform(low, high):.6f}"


put("urng-sycl/URNG_Input.bmp", bitmap(512, 512))
put("data/hotspot/temp_512", lines(512 * 512, lambda _: number(322, 344)))
put("data/hotspot/power_512", lines(512 * 512, lambda _: number(0, 0.02)))
put("data/hotspot3D/temp_512x8", lines(8 * 512 * 512, lambda _: number(322, 344)))
put("data/hotspot3D/power_512x8", lines(8 * 512 * 512, lambda _: number(0, 0.02)))
put("data/kmeans/kdd_cup",
    lines(20000, lambda at: f"{at} " + " ".join(number(0, 100) for _ in range(34))))
put("data/b+tree/mil.txt", "100000\n" + lines(100000, str))
put("data/b+tree/command.txt", "j 6000 3000\nk 10000\n")
put("data/srad/image.pgm", "P2\n458 502\n255\n" + lines(502 * 458, lambda _: str(chance.randrange(256))))
put("ss-sycl/StringSearch_Input.txt",
    lines(20000, lambda _: " ".join(chance.choice(
        ["clEnqueueNDRangeKernel", "clFinish", "kernel", "of", "the", "queue", "is", "waits"])
        for _ in range(12))))
put("recursiveGaussian-cuda/StoneRGB.ppm", pixmap(1920, 1080))
put("tonemapping-sycl/input.hdr",
    "512 512\n" + lines(512 * 512, lambda _: " ".join(number(0, 4) for _ in range(4))))
put("hogbom-cuda/data/dirty_4096.img", sky(4096, 2000).tobytes())
put("hogbom-cuda/data/psf_4096.img", point_spread(4096))
gisette = libsvm(600, 5000, 500)
put("gd-cuda/gisette_scale", gisette)
put("kmc-cuda/gisette_scale", gisette)
put("gibbs-cuda/data.csv", lines(1000, lambda _: f"{chance.randrange(20)} {number(1, 50)}"))
put("clink-cuda/input.hpp", lines(20000, lambda _: number(-1, 1)))
for half in 1, 2:
    put(f"clink-cuda/weight_{half}.hpp", lines(200, lambda _: number(-1, 1)))
edges = {tuple(sorted(chance.sample(range(3000), 2))) for _ in range(12000)}
put("graphB+-cuda/graph.csv",
    "From,To,Sign\n" + "".join(f"{a},{b},{chance.choice([1, -1])}\n" for a, b in sorted(edges)))
pairs = {(chance.randrange(1, 20001), chance.randrange(1, 20001)) for _ in range(100000)}
put("ge-spmm-cuda/data/snap/amazon0302/amazon0302.mtx",
    f"%%MatrixMarket matrix coordinate pattern general\n20000 20000 {len(pairs)}\n" +
    "".join(f"{a} {b}\n" for a, b in sorted(pairs)))
put("lr-sycl/assets/temperature.txt", lines(100000, lambda at: f"{at * 0.001:.3f}\t{number(-20, 40)}"))
for frame in range(110):
    put(f"ced-cuda/input/peppa/{frame}.txt",
        "144\n256\n" + lines(144, lambda _: " ".join(str(chance.randrange(256)) for _ in range(256))))
side = 400
put("easyWave-omp/data/grids/e2Asean.grd",
    b"DSBB" + struct.pack("<hhdddddd", side, side, 90, 130, -15, 25, -5000, 3000) +
    struct.pack(f"<{side * side}f", *(chance.uniform(-5000, -100) for _ in range(side * side))))
put("grep-cuda/testcases/words.txt",
    lines(400, lambda _: "".join(chance.choice("ROMEJULITabq019 .?+") for _ in range(8))))
cities = lines(1 << 21, lambda _: f"{chance.uniform(-90, 90):.4f} {chance.uniform(-180, 180):.4f}")
put("geodesic-sycl/locations.txt", cities)
put("geodesic-cuda/locations.txt", cities)
nodes = 1 << 16
put("data/bfs/graph1MW_6.txt",
    f"{nodes}\n" + lines(nodes, lambda at: f"{at * 6} 6") + f"\n0\n\n{nodes * 6}\n" +
    lines(nodes * 6, lambda _: f"{chance.randrange(nodes)} {chance.randrange(1, 10)}"))
put("meanshift-cuda/dataset/data.csv", lines(10000, lambda at: ",".join(
    f"{chance.gauss(200 * (at % 3) * (axis + 1), 10):.3f}" for axis in range(3))))
put("meanshift-cuda/dataset/centroids.csv",
    lines(3, lambda at: ",".join(f"{200 * at * (axis + 1)}" for axis in range(3))))
put("mpc-cuda/msg_sp.trace.out", array.array("d", (chance.gauss(0, 1) for _ in range(1 << 20))).tobytes())
ones = [(row, column) for row in range(2000) for column in range(784) if chance.random() < 0.1]
put("bmf-cuda/data/MNIST.in", f"2000 784 {len(ones)}\n" + lines(len(ones), lambda at: "%d %d" % ones[at]))


def seismic_trace(midpoint, half_offset, samples):
    """A trace of Seismic Unix: 240 bytes that say where it is, then floats."""
    head = bytearray(240)
    struct.pack_into("<i", head, 20, midpoint)
    struct.pack_into("<hiiii", head, 70, 1, midpoint * 50 - half_offset, 0, midpoint * 50 + half_offset, 0)
    struct.pack_into("<HH", head, 114, samples, 4000)
    return bytes(head) + array.array("f", (chance.gauss(0, 1) for _ in range(samples))).tobytes()


put("cmp-cuda/data/simple-synthetic.su", b"".join(
    seismic_trace(midpoint, 25 * at, 500) for midpoint in range(1, 41) for at in range(20)))
for name, numbers in {
        "input_one_14_1024": 14 * 14 * 1024, "weight_one_1024": 256 * 1024,
        "bnBias_myKernel_one_1024": 1024, "bnScale_myKernel_one_1024": 1024,
        "input_14_1_128": 16 * 16 * 128, "bias_128": 128, "weight_winograd_128_128": 36 * 128 * 128,
        "bnBias_winograd_128": 128, "bnScale_winograd_128": 128,
        "input_14_1_256": 16 * 16 * 256, "weight_winograd_256_256": 36 * 256 * 256,
        "bnBias_winograd_256": 256, "bnScale_winograd_256": 256}.items():
    put(f"resnet-kernels-cuda/data/{name}.bin",
        array.array("f", (chance.uniform(-0.5, 0.5) for _ in range(numbers))).tobytes())


def net(at):
    """One of a global router's: its name, number, pins and least width, and where the pins are."""
    pins = chance.randrange(2, 9)
    return f"n{at} {at} {pins} 1\n" + "\n".join(
        f"{chance.randrange(19000)} {chance.randrange(19000)} 1" for _ in range(pins))


put("rsmt-cuda/newblue7.kraftwerk70.3d.80.20.82.m8.gr",
    "grid 488 490 2\nvertical capacity 0 80\nhorizontal capacity 80 0\nminimum width 1 1\n"
    "minimum spacing 1 1\nvia spacing 1 1\n0 0 40 40\n\nnum net 50000\n" + lines(50000, net))
put("seam-carving-cuda/Broadway_tower.jpg", bitmap(640, 480))
for source, target, made in (
        ("mcpr-cuda/alphas.csv.bz2", "mcpr-cuda/alphas.csv", bz2.decompress),
        ("logan-cuda/inputs/example.txt", "logan-cuda/inputs/100k.txt", lambda text: text * 10)):
    if os.path.exists(os.path.join(root, source)):
        with open(os.path.join(root, source), "rb") as file:
            put(target, made(file.read()))
