/** Runs every example. {@link dev.heddle.examples.Example} holds what these tests share. */
@NullMarked
package dev.heddle.examples;

import org.jspecify.annotations.NullMarked;
