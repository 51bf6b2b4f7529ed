/** Runs every example. The tests share {@link dev.heddle.examples.ExampleRunner}. */
@NullMarked
package dev.heddle.examples;

import org.jspecify.annotations.NullMarked;
