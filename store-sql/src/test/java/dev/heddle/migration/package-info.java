/** Tests of stores that earlier revisions of Heddle made. */
@NullMarked
package dev.heddle.migration;

import org.jspecify.annotations.NullMarked;
