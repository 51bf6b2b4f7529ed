/**
 * The quick start of the README. A test keeps {@link dev.heddle.examples.greeting.QuickStart} and the README the same:
 * the first code that a newcomer reads is compiled and run.
 */
@NullMarked
package dev.heddle.examples.greeting;

import org.jspecify.annotations.NullMarked;
