/**
 * Runs exports of many customers, at most two of each customer at once: a limit per key. Start at
 * {@link dev.heddle.examples.exports.Exports}.
 */
@NullMarked
package dev.heddle.examples.exports;

import org.jspecify.annotations.NullMarked;
