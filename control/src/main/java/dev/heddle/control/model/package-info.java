/**
 * The records that {@link dev.heddle.control.Control} takes and returns: plain data that maps to JSON as it is. Start
 * with {@link dev.heddle.control.model.JobDraft}, a job to submit, and {@link dev.heddle.control.model.JobView}, a job
 * as people see it.
 */
@NullMarked
package dev.heddle.control.model;

import org.jspecify.annotations.NullMarked;
