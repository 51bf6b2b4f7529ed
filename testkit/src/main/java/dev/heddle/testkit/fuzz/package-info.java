/**
 * Fuzzing: {@link dev.heddle.testkit.fuzz.Fuzz} tries generated inputs on a target until its time is up, and
 * {@link dev.heddle.testkit.fuzz.Inputs} generates them.
 */
@NullMarked
package dev.heddle.testkit.fuzz;

import org.jspecify.annotations.NullMarked;
