/**
 * The quick start of the README: {@link dev.heddle.examples.greeting.QuickStart} is the same text, so that the
 * first code anybody reads is code that is compiled and run.
 */
@NullMarked
package dev.heddle.examples.greeting;

import org.jspecify.annotations.NullMarked;
