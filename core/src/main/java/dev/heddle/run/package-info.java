/**
 * What attempts that ran processes leave behind. A {@link dev.heddle.run.Run} is one of them; a store that implements
 * {@link dev.heddle.run.RunArchive} keeps them.
 */
@NullMarked
package dev.heddle.run;

import org.jspecify.annotations.NullMarked;
