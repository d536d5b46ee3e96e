"""slow_link.py LINK DELAY_MS LOSS_PERCENT: delays and loses packets, for kernels without the queueing discipline netem.
slow_link.py DEVICE: has DEVICE send packets as slow_link.py can carry them; before, for every device of the network.

It stands between the device LINK and the bridge "cluster", in LINK's place there: packets pass from one to the other through a
raw socket and a tap device.  It says "ready" when they do, and puts LINK back when its standard input is closed.
"""
import collections
import ctypes
import fcntl
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
SOL_PACKET, PACKET_IGNORE_OUTGOING = 263, 23
SIOCETHTOOL, ETHTOOL_STXCSUM, ETHTOOL_STSO, ETHTOOL_SGSO = 0x8946, 0x17, 0x1F, 0x24


def whole_packets(device):
    """Makes a device send packets that are complete and no longer than a frame, since no later device would divide them."""
    with socket.socket() as s:
        for command in (ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_STXCSUM):
            value = ctypes.create_string_buffer(struct.pack("II", command, 0))
            fcntl.ioctl(s, SIOCETHTOOL, struct.pack("16sP8x", device.encode(), ctypes.addressof(value)))


def ip(*words):
    subprocess.run(["ip", "link", "set", *words], check=True)


def carry(ends, delay, loss):
    """Packets between two descriptors, until standard input is closed."""
    lines = {ends[0]: collections.deque(), ends[1]: collections.deque()}  # of what came from each: time due, packet
    other = {ends[0]: ends[1], ends[1]: ends[0]}
    while True:
        due = min((line[0][0] for line in lines.values() if line), default=None)
        wait = None if due is None else max(0, due - time.monotonic())
        ready = select.select([*ends, sys.stdin], [], [], wait)[0]
        if sys.stdin in ready:
            return
        for end in ready:
            packet = os.read(end, 65536)
            if random.random() >= loss:
                lines[end].append((time.monotonic() + delay, packet))
        now = time.monotonic()
        for end, line in lines.items():
            while line and line[0][0] <= now:
                os.write(other[end], line.popleft()[1])


def main():
    if len(sys.argv) == 2:
        whole_packets(sys.argv[1])
        return
    link, delay, loss = sys.argv[1], float(sys.argv[2]) / 1000, float(sys.argv[3]) / 100
    random.seed(1)
    tap = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH", b"slow", IFF_TAP | IFF_NO_PI))
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    raw.bind((link, 3))
    raw.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    ip(link, "nomaster")
    ip("slow", "master", "cluster", "up")
    print("ready", flush=True)
    try:
        carry((raw.fileno(), tap), delay, loss)
    finally:
        ip(link, "master", "cluster")


main()
