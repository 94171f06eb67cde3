#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Three "nodes" of this machine for as long as a command runs, which is run on the first of them:
#
#     tests/cluster/nodes.sh COMMAND...
#
# node0, node1 and node2 are namespaces with a network, a host name and a machine id of their own, and share files and
# processors. Open MPI reaches them as it reaches nodes by ssh, and over TCP. $TUNE_NODES is the folder with the number of
# a process in each, node1.pid, which ends with the node. Needs root, iproute2 and Open MPI; 77 says that it cannot be done.
set -eu
if [ "${1-}" != --inside ]; then
    cannot() { echo "skip: $1" >&2; exit 77; }
    [ "$(id -u)" = 0 ] || cannot "namespaces of networks need root"
    for program in ip unshare nsenter mpirun orted; do command -v $program >/dev/null || cannot "there is no $program"; done
    unshare --net --uts --mount true 2>/dev/null || cannot "no right to make namespaces (CAP_SYS_ADMIN)"
    unshare --net ip link add name bridge type bridge 2>/dev/null || cannot "no right to make networks, or no bridge in this kernel"
    TUNE_NODES=$(mktemp -d /tmp/tune-nodes-XXXXXX)
    export TUNE_NODES
    trap 'rm -rf "$TUNE_NODES"' EXIT
    trap 'exit 130' INT TERM
    unshare --net --uts --mount "$0" --inside "$@" && status=0 || status=$?
    exit $status
fi
shift

# In new namespaces: become a node.
become='
    hostname "$1"
    if [ -e /etc/machine-id ]; then
        echo "$1" >"$TUNE_NODES/$1.id"
        mount --bind "$TUNE_NODES/$1.id" /etc/machine-id
    fi
    ip link set lo up'

cat >"$TUNE_NODES/hosts" <<'END'
127.0.0.1 localhost
10.97.0.10 node0
10.97.0.11 node1
10.97.0.12 node2
END
cat >"$TUNE_NODES/agent" <<'END'
#!/bin/sh
node=$1
shift
exec nsenter --target "$(cat "$TUNE_NODES/$node.pid")" --net --uts --mount sh -c "$*"
END
chmod +x "$TUNE_NODES/agent"
mkfifo "$TUNE_NODES/ready"

sh -euc "$become" - node0
mount --bind "$TUNE_NODES/hosts" /etc/hosts
ip link add name bridge type bridge
ip address add 10.97.0.10/24 dev bridge
ip link set bridge up
echo $$ >"$TUNE_NODES/node0.pid"

nodes=
trap 'for process in $nodes; do kill -9 "$process" 2>/dev/null || true; done' EXIT
trap 'exit 130' INT TERM
for number in 1 2; do
    unshare --net --uts --mount sh -euc "$become"'
        echo ready >"$TUNE_NODES/ready"
        exec sleep infinity' - "node$number" &
    nodes="$nodes $!"
    echo $! >"$TUNE_NODES/node$number.pid"
    read -r ready <"$TUNE_NODES/ready"
    ip link add name "node$number" type veth peer name eth0 netns $!
    ip link set "node$number" master bridge up
    nsenter --target $! --net ip address add "10.97.0.1$number/24" dev eth0
    nsenter --target $! --net ip link set eth0 up
done

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent="$TUNE_NODES/agent" OMPI_MCA_btl=self,tcp OMPI_MCA_btl_base_warn_component_unused=0
export OMPI_MCA_btl_tcp_if_include=10.97.0.0/24 OMPI_MCA_oob_tcp_if_include=10.97.0.0/24
export OMPI_MCA_odls_base_sigkill_timeout=0 # what is left of a job ends at once
"$@" && status=0 || status=$?
exit $status
