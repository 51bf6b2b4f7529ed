/**
 * What attempts leave that ran as processes: {@link dev.heddle.run.Run} is one of them, and
 * {@link dev.heddle.run.RunArchive} is where a store keeps them.
 */
@NullMarked
package dev.heddle.run;

import org.jspecify.annotations.NullMarked;
