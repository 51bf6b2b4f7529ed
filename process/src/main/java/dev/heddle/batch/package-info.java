/**
 * Many units of work that differ in their data only. {@link dev.heddle.batch.BatchPlan} is the door: it reads a template
 * and a list of payloads, refuses what cannot work before anything is started, and knows every unit by what is in it, so
 * that the same work is never done, or paid for, twice.
 */
@NullMarked
package dev.heddle.batch;

import org.jspecify.annotations.NullMarked;
