/**
 * The products that are compared, and the databases they run on. Start with
 * {@link dev.heddle.benchmarks.contender.Contender}, which each product implements;
 * {@link dev.heddle.benchmarks.contender.Contenders} lists them all.
 */
@NullMarked
package dev.heddle.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
