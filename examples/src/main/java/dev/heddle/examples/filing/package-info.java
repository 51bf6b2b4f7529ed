/**
 * A job of five steps that goes on where it stopped: three that must succeed and two that only warn. Start at
 * {@link dev.heddle.examples.filing.FilingHandler}; {@link dev.heddle.examples.filing.Step} says what each step
 * means for the job when it fails.
 */
@NullMarked
package dev.heddle.examples.filing;

import org.jspecify.annotations.NullMarked;
