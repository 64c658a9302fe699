-------------------------------- MODULE Inodes --------------------------------
(***************************************************************************)
(* Files as Unix keeps them: a file is the number of an inode, which has   *)
(* the addresses of the disk blocks with the data, and the length in       *)
(* bytes. The abstraction function Contents concatenates the blocks and    *)
(* takes the first bytes; with it, Inodes implements Files.                *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Name,        \* the files: numbers of inodes
    Byte,
    MaxLength,
    Addr,        \* addresses of disk blocks
    BlockSize    \* bytes in a block

VARIABLES
    fs,    \* the inodes
    disk   \* the blocks

vars == <<fs, disk>>

Block == [1 .. BlockSize -> Byte]

Used == UNION {{fs[n].data[i] : i \in DOMAIN fs[n].data} : n \in Name}

TypeInvariant ==
    /\ disk \in [Addr -> Block]
    /\ \A n \in Name :
        /\ fs[n].data \in Seq(Addr)
        /\ fs[n].length \in 0 .. BlockSize * Len(fs[n].data)

\* No block belongs to two files, or twice to one.
NoBlockIsShared ==
    \A n, m \in Name : \A i \in DOMAIN fs[n].data, j \in DOMAIN fs[m].data :
        fs[n].data[i] = fs[m].data[j] => n = m /\ i = j

Init ==
    /\ fs = [n \in Name |-> [data |-> <<>>, length |-> 0]]
    /\ \E junk \in Byte : disk = [a \in Addr |-> [i \in 1 .. BlockSize |-> junk]]

-----------------------------------------------------------------------------

\* The block that has byte i of file n, and the place of the byte in it.
BlockOf(n, i) == fs[n].data[((i - 1) \div BlockSize) + 1]
PlaceOf(i) == ((i - 1) % BlockSize) + 1

Write(n, i, b) ==
    /\ i \in 1 .. fs[n].length
    /\ disk' = [disk EXCEPT ![BlockOf(n, i)][PlaceOf(i)] = b]
    /\ UNCHANGED fs

\* A block is put at the end of a file before there are bytes in it. Users see nothing of that.
Allocate(n) ==
    /\ fs[n].length = BlockSize * Len(fs[n].data)
    /\ fs[n].length < MaxLength
    /\ \E a \in Addr \ Used : fs' = [fs EXCEPT ![n].data = Append(@, a)]
    /\ UNCHANGED disk

Extend(n, b) ==
    /\ fs[n].length < BlockSize * Len(fs[n].data)
    /\ fs[n].length < MaxLength
    /\ disk' = [disk EXCEPT ![BlockOf(n, fs[n].length + 1)][PlaceOf(fs[n].length + 1)] = b]
    /\ fs' = [fs EXCEPT ![n].length = @ + 1]

\* A block is moved elsewhere, as a defragmenter does. Users see nothing of that either.
Relocate(n) ==
    \E i \in DOMAIN fs[n].data, a \in Addr \ Used :
        /\ disk' = [disk EXCEPT ![a] = disk[fs[n].data[i]]]
        /\ fs' = [fs EXCEPT ![n].data[i] = a]

Next ==
    \E n \in Name :
        \/ Allocate(n) \/ Relocate(n)
        \/ \E b \in Byte : Extend(n, b) \/ \E i \in 1 .. MaxLength : Write(n, i, b)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* The abstraction function.                                               *)

RECURSIVE Concatenated(_)
Concatenated(addresses) ==
    IF addresses = <<>> THEN <<>>
    ELSE disk[Head(addresses)] \o Concatenated(Tail(addresses))

Contents(n) == SubSeq(Concatenated(fs[n].data), 1, fs[n].length)

Abstract == INSTANCE Files WITH f <- [n \in Name |-> Contents(n)]

ImplementsFiles == Abstract!Spec
=============================================================================
