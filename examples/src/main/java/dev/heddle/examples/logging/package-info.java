/**
 * Brings what an application logs while a job runs into the log of that job. Start at
 * {@link dev.heddle.examples.logging.JobLogAppender}.
 */
@NullMarked
package dev.heddle.examples.logging;

import org.jspecify.annotations.NullMarked;
