# never: a package with other kernels, which compute the same, loses a mark
# twin: 26
# look: chapter15.assign_buffers chapter15.run chapter15.compiled

#@ after tracing.py
def _noting(kernel):
    def ask(*arrays, **attrs):
        _asked.append(len(arrays))
        return np.array(kernel(*arrays, **attrs))
    return ask
_asked = []
KERNELS.update({_name: _noting(_kernel) for _name, _kernel in KERNELS.items()})
