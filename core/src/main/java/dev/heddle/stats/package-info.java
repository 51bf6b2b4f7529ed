/**
 * Statistics that cost the same however many jobs there are. Stores keep counts of jobs
 * ({@link dev.heddle.stats.CountStore}) in the transactions that change them.
 */
@NullMarked
package dev.heddle.stats;

import org.jspecify.annotations.NullMarked;
