/**
 * The logs of jobs: what handlers log, and what commands, agents and external workers write. A store that implements
 * {@link dev.heddle.log.LogStore} keeps them. {@link dev.heddle.log.LogReader} reads them, together with what happened
 * to the job; {@link dev.heddle.log.JobLogBridge} brings in the lines of a logging framework.
 */
@NullMarked
package dev.heddle.log;

import org.jspecify.annotations.NullMarked;
