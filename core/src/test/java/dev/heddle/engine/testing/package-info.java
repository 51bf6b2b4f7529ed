/** Fixtures that the unit tests of the engine share. */
@NullMarked
package dev.heddle.engine.testing;

import org.jspecify.annotations.NullMarked;
