/** Tests of processes with real ones. */
@NullMarked
package dev.heddle.process;

import org.jspecify.annotations.NullMarked;
