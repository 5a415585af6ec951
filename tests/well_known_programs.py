"""Programs that several tests use: a cell of an LSTM, and the sieve of primes."""

LSTM_CELL = """
def f(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    gates = x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
    ingate = torch.sigmoid(ingate)
    forgetgate = torch.sigmoid(forgetgate)
    cellgate = torch.tanh(cellgate)
    outgate = torch.sigmoid(outgate)
    cy = (forgetgate * cx) + (ingate * cellgate)
    hy = outgate * torch.tanh(cy)
    return hy, cy
"""
PRIMES = """
def primes(n: int) -> int:
    flags = [True] * n
    count = 0
    for i in range(2, n):
        if flags[i]:
            count += 1
            j = i * i
            while j < n:
                flags[j] = False
                j += i
    return count
"""
