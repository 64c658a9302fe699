module occi/categories
open occi/core

-- What holds of the categories that a file defines: the constraints of OCCIware's metamodel, and those of GFD.221.

/** OCC101 category-twice: Each category has an identity of its own.
 *
 *  The identity is scheme and term. Of two with the same one, a request could mean either.
 *
 *  @message there are two categories {c.identity}
 *  @at d.identity
 *  @also c.identity the first one
 *  @help give one of them another term
 *  @when end
 */
fact identities_are_unique {
  all disj c, d: Category & own.true | c.identity != d.identity
}

/** OCC102 scheme-without-sharp: A scheme ends in `#`.
 *
 *  The identity of a category is a URI: the term is its fragment.
 *
 *  @message the scheme {c.scheme} of {c} does not end in `#`
 *  @at c.scheme
 *  @help end it in `#`
 *  @when end
 */
fact schemes_end_in_a_sharp {
  all c: Category & own.true | c.sharp = true
}

/** OCC103 attribute-defined-twice: A category defines each attribute once.
 *
 *  @message {c} defines the attribute {a.name} twice
 *  @at b.name
 *  @also a.name the first one
 *  @help remove one of the two
 *  @when end
 */
fact attributes_are_defined_once {
  all c: Category & own.true, disj a, b: c.attributes | a.name != b.name
}

/** OCC104 attribute-of-parent: A kind does not define attributes that it inherits.
 *
 *  @severity warning
 *  @message {k} defines {a.name}, which it inherits from {p}
 *  @at a.name
 *  @also p it is defined here
 *  @help remove it, or give it another name
 *  @when end
 */
fact kinds_define_new_attributes {
  all k: Kind & own.true, p: k.^parent, a: k.attributes | p != k implies a.name not in p.attributes.name
}

/** OCC105 kind-circle: A kind does not derive from itself.
 *
 *  @message {k} derives from itself
 *  @at k.parent
 *  @help remove one of the parents
 *  @when end
 */
fact kinds_do_not_derive_from_themselves {
  all k: Kind & own.true | k not in k.^parent
}

/** OCC106 mixin-circle: A mixin does not depend on itself.
 *
 *  @message {m} depends on itself, by way of {n}
 *  @at m
 *  @also n
 *  @help remove one of the dependencies
 *  @when end
 */
fact mixins_do_not_depend_on_themselves {
  all m: Mixin & own.true, n: m.depends | m not in n.*depends
}

/** OCC107 kind-without-root: Every kind derives from `entity`.
 *
 *  Entities have an identity, which the kind `entity` of the core defines. What can be linked derives from `resource`,
 *  and links from `link`.
 *
 *  @message {k} does not derive from `entity` of the core
 *  @at k
 *  @help give it a parent: `http://schemas.ogf.org/occi/core#resource` or `link`
 *  @when end
 */
fact kinds_derive_from_entity {
  all k: Kind & own.true |
    k.known = true and k not in k.^parent implies
      "http://schemas.ogf.org/occi/core#entity" in k.*parent.identity
}

/** OCC108 action-twice: The actions of a category have different terms.
 *
 *  @message {c} has two actions {a.action_term}
 *  @at b.action_term
 *  @also a.action_term the first one
 *  @help give one of them another term
 *  @when end
 */
fact actions_have_different_terms {
  all c: Category & own.true, disj a, b: c.actions | a.action_term != b.action_term
}

/** OCC109 scheme-of-action: The scheme of an action is that of its category, with the term and `action` after it.
 *
 *  @severity warning
 *  @message the action {a.action_term} of {c} has the scheme {a.action_scheme}, and not {a.action_expected}
 *  @at a.action_scheme
 *  @also c.scheme
 *  @help write the scheme of the category, `/`, its term and `/action#`
 *  @when end
 */
fact actions_have_the_scheme_of_their_category {
  all c: Category & own.true, a: c.actions |
    some a.action_scheme and some a.action_expected implies a.action_scheme = a.action_expected
}

/** OCC110 scheme-of-kind: The kinds of an extension have its scheme.
 *
 *  @message {k} has the scheme {k.scheme}, and the extension has {f.file_scheme}
 *  @at k.scheme
 *  @also f.file_scheme the scheme of the extension
 *  @help let both be the same
 *  @when end
 */
fact kinds_have_the_scheme_of_their_extension {
  all f: File, k: Kind & own.true | some f.file_scheme implies k.scheme = f.file_scheme
}

/** OCC111 term-of-both: No kind and no mixin of an extension have one term.
 *
 *  @severity warning
 *  @message {m} and {k} have the same term
 *  @at m.term
 *  @also k.term the kind
 *  @help give the mixin another term
 *  @when end
 */
fact kinds_and_mixins_have_different_terms {
  all m: Mixin & own.true, k: Kind & own.true | m.scheme = k.scheme implies m.term != k.term
}

/** OCC112 not-imported: What an extension builds on, it imports.
 *
 *  @severity warning
 *  @message {c} builds on {d}, which is in an extension that is not imported
 *  @at c
 *  @also d
 *  @help import the extension
 *  @when end
 */
fact what_is_built_on_is_imported {
  all f: File & extension.true, c: Category & own.true, d: c.(parent + depends + applies) | d.own = true or d in f.uses
}

/** OCC113 default-of-other-type: A default is a value of its type.
 *
 *  @message the default {a.bad_default} of {a.name} is not a value of its type
 *  @at a.bad_default
 *  @also c
 *  @help correct the default, or the type
 *  @when end
 */
fact defaults_fit_their_types {
  all c: Category & own.true, a: c.attributes | no a.bad_default
}
