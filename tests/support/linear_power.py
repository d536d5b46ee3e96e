"""The linear power spectrum of a LambdaCDM universe, written from the paper of Eisenstein and Hu (1998)."""
import numpy


def transfer(k_h, om, ob, h, t_cmb):
    """Eisenstein and Hu (1998), section 3, written from the paper; k in h/Mpc."""
    m, b, f, th, k = om * h * h, ob * h * h, ob / om, t_cmb / 2.7, k_h * h
    keq, zeq = 7.46e-2 * m / th**2, 2.5e4 * m / th**4
    zd = 1291 * m**.251 / (1 + .659 * m**.828) * (1 + .313 * m**-.419 * (1 + .607 * m**.674) * b**(.238 * m**.223))
    rd, req = 31.5 * b / th**4 * 1e3 / (1 + zd), 31.5 * b / th**4 * 1e3 / zeq
    s = 2 / (3 * keq) * (6 / req)**.5 * numpy.log(((1 + rd)**.5 + (rd + req)**.5) / (1 + req**.5))
    silk = 1.6 * b**.52 * m**.73 * (1 + (10.4 * m)**-.95)
    ac = ((46.9 * m)**.67 * (1 + (32.1 * m)**-.532))**-f * ((12 * m)**.424 * (1 + (45 * m)**-.582))**-(f**3)
    bc = 1 / (1 + .944 / (1 + (458 * m)**-.708) * ((1 - f)**((.395 * m)**-.0266) - 1))
    y = zeq / (1 + zd)
    g = y * (-6 * (1 + y)**.5 + (2 + 3 * y) * numpy.log(((1 + y)**.5 + 1) / ((1 + y)**.5 - 1)))
    ab = 2.07 * keq * s * (1 + rd)**-.75 * g
    bb, node = .5 + f + (3 - 2 * f) * ((17.2 * m)**2 + 1)**.5, 8.41 * m**.435
    q, ks = k / (13.41 * keq), k * s

    def t0(alpha, beta):
        lq = numpy.log(numpy.e + 1.8 * beta * q)
        return lq / (lq + (14.2 / alpha + 386 / (1 + 69.9 * q**1.08)) * q * q)

    mix = 1 / (1 + (ks / 5.4)**4)
    cold = mix * t0(1, bc) + (1 - mix) * t0(ac, bc)
    x = ks / (1 + (node / ks)**3)**(1 / 3)
    warm = (t0(1, 1) / (1 + (ks / 5.2)**2) + ab / (1 + (bb / ks)**3) * numpy.exp(-(k / silk)**1.4)) * numpy.sin(x) / x
    return f * warm + (1 - f) * cold


def power(k, om=.31, ob=.049, h=.677, ns=.967, sigma8=.81, t_cmb=2.7255):
    def shape(q):
        return q**ns * transfer(q, om, ob, h, t_cmb)**2
    q = numpy.exp(numpy.linspace(numpy.log(1e-5), numpy.log(60), 200001))
    w = 3 * (numpy.sin(8 * q) - 8 * q * numpy.cos(8 * q)) / (8 * q)**3
    f = q**3 * shape(q) * w * w / (2 * numpy.pi**2)
    variance = ((f[1:] + f[:-1]) / 2 * numpy.diff(numpy.log(q))).sum()
    return sigma8**2 / variance * shape(k)
