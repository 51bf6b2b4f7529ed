/**
 * Limits on how many jobs run at once, or start in a time, for each key over all nodes. Start at
 * {@link dev.heddle.limit.Limit}. {@link dev.heddle.limit.Allotment} and {@link dev.heddle.limit.Rate} are the rules,
 * without I/O; a store that offers {@link dev.heddle.limit.LimitStore} applies them within its claims.
 */
@NullMarked
package dev.heddle.limit;

import org.jspecify.annotations.NullMarked;
