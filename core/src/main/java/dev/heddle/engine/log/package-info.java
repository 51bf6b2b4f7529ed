/**
 * The logs of running attempts: {@link dev.heddle.engine.log.AttemptLog} collects lines in bounded memory, and
 * {@link dev.heddle.engine.log.LogWriter} stores those of all attempts in groups, off the path of jobs.
 */
@NullMarked
package dev.heddle.engine.log;

import org.jspecify.annotations.NullMarked;
