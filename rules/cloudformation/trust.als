module cloudformation/trust
open cloudformation/core
open cloudformation/types/AWS_IAM_Role

-- Who may take a role on.

/** The value of a key of a map. */
fun under [d: Data, k: String]: set (Location + String + Int + Boolean + Data) { (d.entries & key.k).value }

/** The services that a role of the template trusts. */
fun services [r: AWS_IAM_Role]: set (Location + String + Int + Boolean + Data) {
  under[under[under[r.prop_AssumeRolePolicyDocument, "Statement"], "Principal"], "Service"]
}

/** Anybody may take the role on. */
pred trusts_all [r: AWS_IAM_Role] {
  "*" in under[under[r.prop_AssumeRolePolicyDocument, "Statement"], "Principal"]
    or some under[under[under[r.prop_AssumeRolePolicyDocument, "Statement"], "Principal"], "AWS"] & "*"
}
