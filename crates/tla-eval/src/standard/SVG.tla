---- MODULE SVG ----
\* Drawings as records; they are not turned into files.
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
SVGElem(_name, _attrs, _children, _innerText) ==
    [name |-> _name, attrs |-> _attrs, children |-> _children, innerText |-> _innerText]
Line(x1, y1, x2, y2, attrs) ==
    SVGElem("line", [x1 |-> ToString(x1), y1 |-> ToString(y1), x2 |-> ToString(x2), y2 |-> ToString(y2)] @@ attrs,
            <<>>, "")
Circle(cx, cy, r, attrs) ==
    SVGElem("circle", [cx |-> ToString(cx), cy |-> ToString(cy), r |-> ToString(r)] @@ attrs, <<>>, "")
Rect(x, y, w, h, attrs) ==
    SVGElem("rect", [x |-> ToString(x), y |-> ToString(y), width |-> ToString(w), height |-> ToString(h)] @@ attrs,
            <<>>, "")
Text(x, y, text, attrs) == SVGElem("text", [x |-> ToString(x), y |-> ToString(y)] @@ attrs, <<>>, text)
Image(x, y, width, height, href, attrs) ==
    SVGElem("image", ("xlink:href" :> href) @@ [x |-> ToString(x), y |-> ToString(y), width |-> ToString(width),
                      height |-> ToString(height)] @@ attrs, <<>>, "")
Group(children, attrs) == SVGElem("g", attrs, children, "")
Svg(children, attrs) == SVGElem("svg", attrs, children, "")
SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
    Svg(<<children>>,
        [viewBox |-> ToString(vbX) \o " " \o ToString(vbY) \o " " \o ToString(vbW) \o " " \o ToString(vbH),
         xmlns |-> "http://www.w3.org/2000/svg"] @@ ("xmlns:xlink" :> "http://www.w3.org/1999/xlink") @@ attrs)
SVGElemToString(elem) == NATIVE
NodeOfRingNetwork(cx, cy, r, n, m) == NATIVE
NodesOfDirectedMultiGraph(nodes, edges, options) == NATIVE
\* A part of the way, rounded towards zero.
PointOnLine(from, to, segment) ==
    LET Abs(n) == IF n < 0 THEN -n ELSE n
        Part(a, b) ==
            LET n == a * segment + b - a
                part == Abs(n) \div Abs(segment)
            IN  IF (n < 0) = (segment < 0) THEN part ELSE -part
    IN  [x |-> Part(from.x, to.x), y |-> Part(from.y, to.y)]
SVGSerialize(svg, frameNamePrefix, frameNumber) == NATIVE
====
