module hot/OS_Heat_RandomString
open hot/core
open hot/types/OS_Heat_RandomString

/** HOT353 random-string-too-short: A random string is long enough for all that must be in it.
 *
 *  Heat refuses a `length` that is smaller than the sum of what `character_classes` and `character_sequences` want at
 *  least (one of each if they do not say).
 *
 *  @message {r} has {r.prop_length} characters, which is not enough for all that must be in it
 *  @at r.prop_length
 *  @also r.prop_character_classes.min characters that must be in it
 *  @also r.prop_character_sequences.min characters that must be in it
 *  @help make it longer
 *  @when text
 *  @openstack parse error
 */
fact random_string_is_long_enough {
  all r: OS_Heat_RandomString | some r.prop_length implies
    r.prop_length >= plus[
      (sum c: r.prop_character_classes | c.(OS_Heat_RandomString_character_classes_elements <: min)),
      (sum c: r.prop_character_sequences | c.(OS_Heat_RandomString_character_sequences_elements <: min))]
}
