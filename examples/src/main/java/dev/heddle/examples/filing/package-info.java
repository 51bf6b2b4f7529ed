/**
 * A job of five steps that resumes where it stopped. Three steps must succeed; the other two only log a warning. Start
 * at {@link dev.heddle.examples.filing.FilingHandler}; {@link dev.heddle.examples.filing.Step} defines what the failure
 * of each step means for the job.
 */
@NullMarked
package dev.heddle.examples.filing;

import org.jspecify.annotations.NullMarked;
