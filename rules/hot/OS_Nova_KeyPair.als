module hot/OS_Nova_KeyPair
open hot/core
open hot/types/OS_Nova_KeyPair
open util/text as text

/** HOT325 duplicate-key-pair: Key pairs have distinct names.
 *
 *  Nova keeps the key pairs of a user by their names, and refuses a second one with the same name.
 *
 *  @message {k} and {l} have the same name {k.prop_name}
 *  @at l.prop_name
 *  @also k.prop_name {k} has it already
 *  @help choose another name
 *  @when always
 *  @openstack deployment error
 */
fact unique_key_pair_name {
  all disj k, l: OS_Nova_KeyPair | k.prop_name = l.prop_name implies k.prop_user != l.prop_user or no k.prop_name
}

/** HOT326 key-pair-without-key: A key pair has a public key.
 *
 *  From its API 2.92 on (OpenStack Zed, 2022) Nova makes no keys any more, and Heat refuses a key pair without
 *  `public_key`: "The public_key property is required by the nova API version currently used". Older clouds made one.
 *
 *  @message {k} has no `public_key`, and Nova makes none
 *  @at k
 *  @help make the key pair yourself, and pass the public key as a parameter
 *  @when text
 *  @openstack parse error
 */
fact key_pair_has_a_public_key {
  all k: OS_Nova_KeyPair & Made | some k.prop_public_key
}

/** HOT546 public-key-form: The public key of a key pair is one of SSH.
 *
 *  Nova reads it: "Keypair data is invalid: failed to generate fingerprint". It is what `ssh-keygen` writes into the file
 *  that ends in `.pub`: the kind of the key, the key, and a comment.
 *
 *  @message the public key of {k} is not one of SSH
 *  @at k.prop_public_key
 *  @help give the contents of a file such as `id_ed25519.pub`
 *  @when always
 *  @openstack deployment error
 */
fact public_keys_are_of_ssh {
  all k: OS_Nova_KeyPair & Made |
    (some k.prop_public_key and k.prop_type != "x509") implies
    k.prop_public_key in "((ssh-|ecdsa-|sk-)[^ ]+ +[A-Za-z0-9+/=]+([^A-Za-z0-9+/=](.|[^.])*)?)?".(text/matches)
}
