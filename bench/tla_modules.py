#!/usr/bin/env python3
"""Compares the operators of the standard and community modules with TLC, by calls that are made up at random.

    bench/tla_modules.py LOCUS --tlc CLASSPATH [--calls N] [--seed N] [--only TEXT] [--record FOLDER [--keep N]]

LOCUS is the command `locus`. CLASSPATH has TLC and the classes of the community modules with what they use. Each
operator is called N times; TLC evaluates each call by itself (`bench/tla/Evaluate.java`). An answer of TLC is compared
by the assumption that the call equals it. Prints one line for each call on which both differ, and the sums: `same`,
`both refuse`, `only here` (TLC refuses, as it does where values of unlike type are compared), `refused here`, `differs`.
Exit code 1 if something differs or is refused here only.

What is refused here by design (docs/tla.md) is not asked about, nor what depends on the order in which TLC happens to
hold the fields of a record or the elements of a function.

With --record, the first N distinct answers of each operator are written to FOLDER, one file for each module, where the
tests of `locus-tla` find them.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

# What each module is asked: an operator, and what its arguments are, by the names of the functions of `Arguments`. What
# is no name is text of its own; `$1` stands for an argument in a form that is not an application.
OPERATORS = {
    "Naturals": """
        $1+$2|num num; $1-$2|num num; $1*$2|num num; $1^$2|num exponent; $1%$2|num num; $1\\div$2|num num
        $1<$2|num num; $1>$2|num num; $1\\leq$2|num num; $1\\geq$2|num num; $1..$2|num num
        $1\\in$2..$3|num num num; $1\\in/Nat|num
    """,
    "Integers": "-$1|num; $1\\in/Int|num; $1%(-$2)|num num; (-$1)\\div$2|num num",
    "Sequences": """
        Len|seq; Head|seq; Tail|seq; Append|seq elem; SubSeq|seq idx idx; SelectSeq|seq test; $1\\o$2|seq seq
        $1\\in/Seq($2)|seq set; Len|str; SubSeq|str idx idx; $1\\o$2|str str; Tail|str; Head|str
    """,
    "FiniteSets": "Cardinality|set; IsFiniteSet|set; Cardinality|sets",
    "Bags": """
        IsABag|bag; IsABag|fun; BagToSet|bag; SetToBag|set; BagIn|elem bag; EmptyBag|; $1(+)$2|bag bag; $1(-)$2|bag bag
        BagUnion|bags; $1\\sqsubseteq$2|bag bag; SubBag|bag; BagOfAll|map bag; BagCardinality|bag; CopiesIn|elem bag
    """,
    "TLC": """
        $1:>$2|elem elem; $1@@$2|fun fun; Permutations|set; SortSeq|seq less; ToString|elem; ToString|seq
        ToString|set; TLCEval|set; Assert|TRUE elem; $1@@$2|seq seq; $1@@$2|record record
    """,
    "Folds": "MapThenFoldSet|op2 elem map choose set; MapThenFoldSet|op2 elem map choose sets",
    "Functions": """
        Restrict|fun subdomain; Restrict|seq indices; RestrictDomain|fun test; RestrictValues|fun test; IsRestriction|fun fun
        Range|fun; Range|seq; Pointwise|fun fun op2; Inverse|fun set set; AntiFunction|fun; IsInjective|fun; IsInjective|seq
        Injection|set set; Surjection|set set; Bijection|set set; ExistsInjection|set set; ExistsSurjection|set set
        ExistsBijection|set set; FoldFunction|op2 elem fun; FoldFunction|op2 elem seq; FoldFunctionOnSet|op2 elem fun set
        FoldFunctionOnSet|op2 elem seq indices; SumFunction|numfun; SumFunctionOnSet|numfun indices
    """,
    "FiniteSetsExt": """
        FoldSet|op2 elem set; FoldSet|op2 elem sets; SumSet|numset; ProductSet|numset; ReduceSet|op2 set elem
        MapThenSumSet|nummap set; MapThenSumSet|nummap numset; FlattenSet|sets; SymDiff|set set; Quantify|set test
        kSubset|num set; kSubset|num numset; Max|numset; Min|numset; Choices|sets; ChooseUnique|set test; Max|set; Min|set
    """,
    "SequencesExt": """
        ToSet|seq; ToBag|seq; SetToSeq|set; SetToSeqs|set; SetToSortSeq|set less; SetToAllKPermutations|set; TupleOf|set few
        SeqOf|set few; BoundedSeq|set few; Contains|seq elem; IsSorted|seq less; Reverse|seq; Remove|seq elem
        ReplaceAll|seq elem elem
        SelectInSeq|seq test; SelectInSubSeq|seq idx idx test; SelectLastInSeq|seq test; SelectLastInSubSeq|seq idx idx test
        InsertAt|seq idx elem; ReplaceAt|seq idx elem; RemoveAt|seq idx; RemoveFirst|seq elem; RemoveFirstMatch|seq test
        Cons|elem seq; Snoc|elem seq; Front|seq; Last|seq; IsPrefix|seq seq; IsPrefix|prefix seq; IsStrictPrefix|seq seq
        IsStrictPrefix|prefix seq; IsSuffix|seq seq; IsStrictSuffix|seq seq; Prefixes|seq; CommonPrefixes|seqs
        LongestCommonPrefix|seqs; Suffixes|seq; SeqMod|num num; FoldSeq|op2 elem seq; FoldLeft|op2 elem seq
        FoldRight|op2 seq elem; FoldLeftDomain|op2 elem seq; FoldRightDomain|op2 seq elem; FlattenSeq|seqseq; Zip|seq seq
        Interleave|seq seq; SubSeqs|seq; AllSubSeqs|seq; IndexFirstSubSeq|seq seq; ReplaceSubSeqAt|idx seq seq seq
        ReplaceFirstSubSeq|seq seq seq; ReplaceFirstSubSeq|str str str; ReplaceAllSubSeqs|seq seq seq
        ReplaceAllSubSeqs|str str str; IsPrefix|str str; IsSuffix|str str; Front|str; Last|str; Reverse|str; Contains|str str
    """,
    "Bitwise": "$1&$2|nat nat; $1|$2|nat nat; $1^^$2|nat nat; Not|nat; shiftR|nat few",
    "Relation": """
        IsReflexive|rel nodes; IsIrreflexive|rel nodes; IsSymmetric|rel nodes; IsAntiSymmetric|rel nodes
        IsAsymmetric|rel nodes; IsTransitive|rel nodes; IsStrictlyPartiallyOrdered|rel nodes; IsPartiallyOrdered|rel nodes
        IsStrictlyTotallyOrdered|rel nodes; IsTotallyOrdered|rel nodes; TransitiveClosure|rel nodes
        ReflexiveTransitiveClosure|rel nodes; IsConnected|rel nodes; IsReflexiveUnder|relop numset
        IsIrreflexiveUnder|relop numset; IsSymmetricUnder|relop numset; IsAntiSymmetricUnder|relop numset
        IsAsymmetricUnder|relop numset; IsTransitiveUnder|relop numset; IsStrictlyPartiallyOrderedUnder|relop numset
        IsPartiallyOrderedUnder|relop numset; IsStrictlyTotallyOrderedUnder|relop numset; IsTotallyOrderedUnder|relop numset
    """,
    "Graphs": """
        IsDirectedGraph|graph; DirectedSubgraph|small; Transpose|graph; IsUndirectedGraph|graph; UndirectedSubgraph|small
        $1\\in/Path($2)|nodeseq graph; SimplePath|graph; AreConnectedIn|node node graph; IsStronglyConnected|graph
        ConnectionsIn|graph; IsTreeWithRoot|graph node; IsTreeWithRoot|tree node; GraphUnion|graph graph
        IsBipartiteWithPartitions|graph nodes nodes; HasCycle|graph; IsDag|graph; IsDag|tree; Successors|graph node
        AllSuccessors|graph nodes; Predecessors|graph node; AllPredecessors|graph nodes; Ancestors|graph node
        Descendants|graph node; InDegree|graph node; OutDegree|graph node; Roots|graph; Leaves|graph; Roots|tree; Leaves|tree
        EmptyGraph|; Graphs|nodes2; SimplePath|tree; Ancestors|tree node; Descendants|tree node
    """,
    "UndirectedGraphs": """
        IsUndirectedGraph|ugraph; IsLoopFreeUndirectedGraph|ugraph; UndirectedSubgraph|usmall; $1\\in/Path($2)|nodeseq ugraph
        SimplePath|ugraph; AreConnectedIn|node node ugraph; ConnectedComponents|ugraph; IsStronglyConnected|ugraph
        UndirectedGraphs|nodes2
    """,
    "BagsExt": """
        BagAdd|bag elem; BagRemove|bag elem; BagRemoveAll|bag elem; SumBag|numbag; ProductBag|numbag; FoldBag|op2 elem bag
        FoldBag|numop num numbag; MapThenFoldBag|op2 elem map choose bag; MapThenFoldBag|op2 elem map choose numbag
    """,
    "DyadicRationals": "IsDyadicRational|dyadic; Zero|; One|; Add|dyadic dyadic; Half|dyadic; PrettyPrint|dyadic",
    # Of several causal orders TLC gives that of a hash table.
    "VectorClocks": """
        IsCausalOrder|log clock
        IsCausalOrder(CausalOrder($1, LAMBDA l : l.clock, LAMBDA l : l.node, LAMBDA c : DOMAIN c), LAMBDA l : l.clock)|log
    """,
    "Combinatorics": "factorial[$1]|few; choose|num num; choose|few few; factorial[$1]|num",
    "Quorum": "QuorumSystem|nodes2; $1\\in/QuorumSystem($2)|nodesets nodes",
    "SVG": """
        SVGElem|str record seq str; Line|num num num num attrs; Circle|num num num attrs; Rect|num num num num attrs
        Text|num num str attrs; Image|num num num num str attrs; Group|seq attrs; Svg|seq attrs
        SVGDoc|seq num num num num attrs; PointOnLine|point point num
    """,
    "Json": "ToJson|elem; ToJson|seq; ToJson|set; ToJson|seqseq; ToJsonArray|seq",
    "IOUtils": "atoi|digits; zeroPadN|nat few",
    "TLCExt": "AssertEq|elem elem",
    "Randomization": "RandomSubset|0 set; RandomSetOfSubsets|0 1 set; TestRandomSetOfSubsets|0 1 set",
}

# Strings are ordered by where they are first met, by TLC as here, and before them those that are also names: all of them
# stand at the top of each module.
STRINGS = ["b", "a", "", "c", "ab", "n1", "n2", "n3", "x", "y", "aba", "%n%", "a%n%b", "bab", "p", "q", "12", "007", "-3", "0"]
HEADER = "---- MODULE {name} ----\nEXTENDS {extends}\nNames == [{names}]\nStrings == <<{strings}>>\n"


class Arguments:
    """Arguments of one call; elements are of one kind, so that TLC can compare them."""

    KINDS = ["int", "int", "str", "pair", "set", "bool"]

    def __init__(self, chance):
        self.chance = chance
        self.kind = chance.choice(self.KINDS)

    def some(self, what, most=4):
        return [what() for _ in range(self.chance.choice([0, 1, 1, 2, 2, 3, 3, most]))]

    def distinct(self, what, most=4):
        return list(dict.fromkeys(self.some(what, most)))

    def elem(self):
        pick = self.chance.choice
        match self.kind:
            case "int":
                return str(self.chance.randint(-2, 4))
            case "str":
                return pick(['"a"', '"b"', '"c"', '""'])
            case "pair":
                return f"<<{pick('123')}, {pick('12')}>>"
            case "set":
                return pick(["{}", "{1}", "{1, 2}", "{2}", "{{}}"[:0] + "{3}"])
            case "bool":
                return pick(["TRUE", "FALSE"])

    def set(self):
        return "{" + ", ".join(self.some(self.elem)) + "}"

    def sets(self):
        return "{" + ", ".join(self.some(self.set, 3)) + "}"

    def seq(self):
        return "<<" + ", ".join(self.some(self.elem, 5)) + ">>"

    def seqs(self):
        return "{" + ", ".join([self.seq() for _ in range(self.chance.randint(0, 3))]) + "}"

    def seqseq(self):
        return "<<" + ", ".join(self.some(self.seq, 3)) + ">>"

    def prefix(self):
        return f"SubSeq(<<{', '.join([self.elem()] * 3)}>>, 1, {self.chance.randint(0, 3)})"

    def function(self, domain, values):
        pairs = [f"({key} :> {values()})" for key in domain]
        return "(" + " @@ ".join(pairs) + ")" if pairs else "<<>>"

    def fun(self):
        return self.function(self.distinct(self.elem), self.elem)

    def numfun(self):
        return self.function(self.distinct(lambda: str(self.chance.randint(1, 4))), self.num)

    # All elements in the order that TLC gives them in a set.
    ORDER = {
        "int": [str(n) for n in range(-8, 9)],
        "str": ['"b"', '"a"', '"c"', '""'],
        "pair": [f"<<{a}, {b}>>" for a in (1, 2, 3) for b in (1, 2)],
        "set": ["{}", "{1}", "{2}", "{3}", "{1, 2}"],
        "bool": ["FALSE", "TRUE"],
    }

    def bag(self):
        """A bag whose elements stand in order: TLC folds over them as they stand."""
        elements = sorted(self.distinct(self.elem, 3), key=self.ORDER[self.kind].index)
        return self.function(elements, lambda: str(self.chance.choice([1, 1, 2, 3])))

    def bags(self):
        return "{" + ", ".join(self.some(self.bag, 3)) + "}"

    def numbag(self):
        return self.function(sorted(self.distinct(self.num, 3), key=int), lambda: str(self.chance.choice([1, 1, 2, 3])))

    def subdomain(self):
        return self.set()

    def indices(self):
        return "{" + ", ".join(self.distinct(lambda: str(self.chance.randint(1, 3)))) + "}"

    def record(self):
        names = self.chance.sample(["a", "b", "x", "y"], self.chance.randint(1, 3))
        return "[" + ", ".join(f"{name} |-> {self.elem()}" for name in names) + "]"

    def attrs(self):
        names = self.chance.sample(["a", "b", "x", "y", "r"], self.chance.randint(1, 3))
        return "[" + ", ".join(f'{name} |-> {self.str()}' for name in names) + "]"

    def num(self):
        return str(self.chance.choice([-7, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8]))

    def nat(self):
        return str(self.chance.choice([0, 1, 2, 3, 5, 6, 7, 8, 12, 100, 255, 256, 65535, 1000000]))

    def few(self):
        return str(self.chance.choice([0, 0, 1, 2, 3]))

    def exponent(self):
        return str(self.chance.choice([0, 1, 2, 3, 7, -1]))

    def idx(self):
        return str(self.chance.choice([-1, 0, 1, 1, 2, 2, 3, 4, 5, 6]))

    def str(self):
        return '"' + self.chance.choice(["a", "b", "", "c", "ab", "aba", "bab", "%n%", "a%n%b"]) + '"'

    def strs(self):
        return "<<" + ", ".join(self.some(self.str, 3)) + ">>"

    def digits(self):
        return self.chance.choice(['"12"', '"007"', '"-3"', '"0"', '""', '"a"'])

    def fills(self):
        return "<<" + ", ".join(self.some(lambda: f"<<{self.str()}, {self.str()}>>", 3)) + ">>"

    def numset(self):
        return "{" + ", ".join(self.some(self.num)) + "}"

    def test(self):
        return self.chance.choice(
            [f"LAMBDA t : t = {self.elem()}", f"LAMBDA t : t # {self.elem()}", "LAMBDA t : TRUE", "LAMBDA t : FALSE",
             f"LAMBDA t : t \\in {self.set()}"])

    def op2(self):
        return self.chance.choice(
            ["LAMBDA s, t : <<s, t>>", "LAMBDA s, t : <<s, t>>", "LAMBDA s, t : s", "LAMBDA s, t : t",
             "LAMBDA s, t : <<t, s, 0>>"])

    def numop(self):
        return self.chance.choice(["LAMBDA s, t : s - t", "LAMBDA s, t : 2 * s + t", "LAMBDA s, t : s + 3 * t"])

    def map(self):
        return self.chance.choice(["LAMBDA s : s", "LAMBDA s : <<s>>", "LAMBDA s : {s}", "LAMBDA s : 1"])

    def nummap(self):
        if self.chance.random() < 0.5:
            return "LAMBDA s : 3"
        return "LAMBDA s : IF s = " + self.elem() + " THEN 5 ELSE -1"

    def choose(self):
        last = "CHOOSE m \\in S : \\A n \\in S : ToString(n) = ToString(m) \\/ TRUE"
        return self.chance.choice(
            ["LAMBDA S : CHOOSE m \\in S : TRUE", f"LAMBDA S : {last}",
             f"LAMBDA S : IF {self.elem()} \\in S THEN {self.elem()} ELSE CHOOSE m \\in S : TRUE"])

    def less(self):
        return self.chance.choice(
            ["LAMBDA s, t : s < t", "LAMBDA s, t : s > t", "LAMBDA s, t : s \\leq t"]
            if self.kind == "int"
            else ["LAMBDA s, t : FALSE", "LAMBDA s, t : s # t", f"LAMBDA s, t : s = {self.elem()} /\\ t # {self.elem()}"])

    def relop(self):
        return self.chance.choice(
            ["LAMBDA s, t : s < t", "LAMBDA s, t : s \\leq t", "LAMBDA s, t : TRUE", "LAMBDA s, t : FALSE",
             "LAMBDA s, t : s = t", "LAMBDA s, t : s # t", "LAMBDA s, t : s % 2 = t % 2", "LAMBDA s, t : s + t = 3"])

    def node(self):
        return self.chance.choice(["1", "2", "3"])

    def nodes(self):
        return self.chance.choice(["{1, 2, 3}", "{1, 2, 3}", "{1, 2}", "{2}", "{}", "{3, 1}"])

    def nodes2(self):
        return self.chance.choice(["{}", "{1}", "{1, 2}"])

    def nodesets(self):
        return "{" + ", ".join(self.some(self.nodes, 3)) + "}"

    def nodeseq(self):
        return "<<" + ", ".join(self.some(self.node)) + ">>"

    def rel(self):
        pairs = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if self.chance.random() < 0.4]
        text = ", ".join(f"<<{a}, {b}>>" for a, b in pairs)
        return f"[s, t \\in {{1, 2, 3}} |-> <<s, t>> \\in {{{text}}}]"

    def edges(self, nodes, share):
        return [f"<<{a}, {b}>>" for a in nodes for b in nodes if self.chance.random() < share]

    def graph(self):
        nodes = [n for n in "1234" if self.chance.random() < 0.8]
        share = self.chance.choice([0.1, 0.3, 0.6])
        return f"[node |-> {{{', '.join(nodes)}}}, edge |-> {{{', '.join(self.edges(nodes, share))}}}]"

    def small(self):
        return f"[node |-> {{1, 2}}, edge |-> {{{', '.join(self.edges('12', 0.6))}}}]"

    def tree(self):
        edges = [f"<<{n}, {self.chance.randint(1, n - 1)}>>" for n in (2, 3, 4)]
        return f"[node |-> 1..4, edge |-> {{{', '.join(edges)}}}]"

    def ugraph(self):
        nodes = [n for n in "1234" if self.chance.random() < 0.8]
        share = self.chance.choice([0.1, 0.3])
        edges = [f"{{{a}, {b}}}" for a in nodes for b in nodes if a <= b and self.chance.random() < share]
        return f"[node |-> {{{', '.join(nodes)}}}, edge |-> {{{', '.join(edges)}}}]"

    def usmall(self):
        return self.chance.choice(
            ["[node |-> {1, 2}, edge |-> {{1, 2}}]", "[node |-> {1, 2, 3}, edge |-> {{1, 2}, {3}}]", "[node |-> {1}, edge |-> {}]"])

    def dyadic(self):
        return f"[num |-> {self.num()}, den |-> {self.chance.choice([1, 2, 4, 8])}]"

    def log(self):
        """The lines of a run of three nodes with vector clocks, shuffled."""
        clocks = {n: {m: 0 for m in ("n1", "n2", "n3")} for n in ("n1", "n2", "n3")}
        lines = []
        for _ in range(self.chance.randint(0, 5)):
            node = self.chance.choice(list(clocks))
            if self.chance.random() < 0.5:
                other = self.chance.choice(list(clocks))
                clocks[node] = {m: max(c, clocks[other][m]) for m, c in clocks[node].items()}
            clocks[node] = {**clocks[node], node: clocks[node][node] + 1}
            clock = ", ".join(f"{m} |-> {c}" for m, c in clocks[node].items())
            lines.append(f'[node |-> "{node}", clock |-> [{clock}]]')
        if self.chance.random() < 0.5:
            self.chance.shuffle(lines)
        return "<<" + ", ".join(lines) + ">>"

    def clock(self):
        return "LAMBDA l : l.clock"

    def point(self):
        return f"[x |-> {self.num()}, y |-> {self.num()}]"


def operators(module):
    for entry in OPERATORS[module].replace("\n", ";").split(";"):
        if entry.strip():
            operator, _, arguments = entry.strip().rpartition("|")
            yield operator, arguments.split()


def call(operator, sorts, chance):
    arguments = Arguments(chance)
    given = [getattr(arguments, sort)() if hasattr(arguments, sort) else sort for sort in sorts]
    if "$1" not in operator:
        return f"{operator}({', '.join(given)})" if given else operator
    text = operator.replace("/", " ")
    for number, argument in enumerate(given, 1):
        text = text.replace(f"${number}", f" ({argument}) " if text != f"factorial[${number}]" else argument)
    return text


def extends(module):
    names = ["Integers", "Sequences", "FiniteSets", "TLC", module]
    return ", ".join(dict.fromkeys(names))


def header(name, module):
    strings = ", ".join(f'"{text}"' for text in STRINGS)
    names = ", ".join(f"{text} |-> 0" for text in STRINGS if text.isidentifier())
    return HEADER.format(name=name, extends=extends(module), names=names, strings=strings)


def write(folder, name, module, lines):
    """Writes a module, and gives the number of lines above these."""
    above = header(name, module)
    (folder / f"{name}.tla").write_text(above + "\n".join(lines) + "\n====\n", encoding="utf-8")
    (folder / f"{name}.cfg").write_text("", encoding="utf-8")
    return above.count("\n")


def ask_tlc(options, folder, module, calls):
    """TLC's answers: `=`, `!` or `?`, and the value or what is wrong."""
    write(folder, "Calls", module, [f"E{number} == {text}" for number, text in enumerate(calls)])
    java = ["java", "-XX:+UseSerialGC", "-cp", options.tlc, str(pathlib.Path(__file__).parent / "tla/Evaluate.java")]
    names = "\n".join(f"E{number}" for number in range(len(calls)))
    done = subprocess.run(java + [str(folder), "Calls", "5"], input=names, capture_output=True, text=True)
    answers = [line.split("\t", 2)[1:] for line in done.stdout.splitlines() if line.startswith("E")]
    if len(answers) != len(calls):
        sys.exit(f"TLC gives up on {module}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return answers


def run(options, folder, module, assumptions):
    """What is wrong with the first assumption that does not hold, and which one that is; or nothing."""
    above = write(folder, "Assumed", module, [f"ASSUME {text}" for text in assumptions])
    command = [options.locus, "tla", "check", str(folder / "Assumed.tla"), "--format", "json", "--timeout", "20"]
    document = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    if document["verdict"] == "ok":
        return None, len(assumptions)
    errors = [finding for finding in document["findings"] if finding["severity"] == "error"]
    message = errors[0]["message"] if errors else document["message"]
    place = errors[0]["place"] if errors else document["place"]
    if place and place["file"].endswith("Assumed.tla"):
        line = place["line"] if "line" in place else place["start"]["line"]
        return message, line - above - 1
    if len(assumptions) == 1:
        return message, 0
    # The place is in another module: the first half has it, or else the second.
    half = len(assumptions) // 2
    wrong, at = run(options, folder, module, assumptions[:half])
    if wrong is None:
        wrong, at = run(options, folder, module, assumptions[half:])
        at += half
    return wrong, at


def assume(options, folder, module, assumptions):
    """For each assumption, what becomes of it here: None, or what is wrong."""
    answers = []
    while len(answers) < len(assumptions):
        wrong, at = run(options, folder, module, assumptions[len(answers) :][:200])
        answers += [None] * at
        if wrong is not None:
            answers.append(wrong)
    return answers


def compare(options, module, folder, record):
    chance = random.Random(f"{options.seed} {module}")
    calls = []
    for operator, sorts in operators(module):
        if options.only in f"{module}!{operator}":
            count = options.calls if sorts else 1
            texts = dict.fromkeys(call(operator, sorts, chance) for _ in range(count))
            calls += [(operator + " " + " ".join(sorts), text) for text in texts]
    if not calls:
        return collections.Counter()
    theirs = ask_tlc(options, folder, module, [text for _, text in calls])
    assumptions = []
    for (_, text), (mark, value) in zip(calls, theirs):
        assumptions.append(f"({text}) = ({value})" if mark == "=" else f"LET v == {text} IN v = v")
    ours = assume(options, folder, module, assumptions)
    sums, kept = collections.Counter(), collections.Counter()
    for (operator, text), (mark, value), wrong in zip(calls, theirs, ours):
        if mark == "=":
            outcome = "same" if wrong is None else "differs" if "is false" in wrong else "refused here"
        else:
            outcome = "both refuse" if wrong else "only here"
        sums[outcome] += 1
        if outcome in ("differs", "refused here") or (options.verbose and outcome == "only here"):
            print(f"{outcome}: {module}: {text}\n    TLC: {value[:200]}\n    here: {(wrong or '')[:200]}")
        if record and kept[operator, mark] < options.keep and mark != "?" and outcome in ("same", "both refuse"):
            kept[operator, mark] += 1
            record.append(f"{text}\t{value if mark == '=' else '!'}")
    return sums


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("locus")
    parser.add_argument("--tlc", required=True)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", default="")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--keep", type=int, default=12)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    total = collections.Counter()
    for module in OPERATORS:
        record = [
            f"# TLC's answers to calls of {module}, by bench/tla_modules.py: a call, a tab, the value, or `!` if it is refused.",
            *("| " + line for line in header("Calls", module).splitlines()[1:]),
        ]
        with tempfile.TemporaryDirectory() as folder:
            sums = compare(options, module, pathlib.Path(folder), record if options.record else None)
        if sums:
            print(f"{module}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(sums.items())), flush=True)
        if options.record and sums:
            (options.record / f"{module}.txt").write_text("\n".join(record) + "\n", encoding="utf-8")
        total += sums
    print("all: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(total.items())))
    return 1 if total["differs"] or total["refused here"] else 0


if __name__ == "__main__":
    sys.exit(main())
