/**
 * Tables and reports of what was measured, and on which machine. Start with
 * {@link dev.heddle.benchmarks.report.ResultTable}.
 */
@NullMarked
package dev.heddle.benchmarks.report;

import org.jspecify.annotations.NullMarked;
