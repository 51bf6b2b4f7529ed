/**
 * Supplies time, randomness and threads to the engine. Start with {@link dev.heddle.env.Environment}; a simulation or a
 * test implements it to control all three.
 */
@NullMarked
package dev.heddle.env;

import org.jspecify.annotations.NullMarked;
