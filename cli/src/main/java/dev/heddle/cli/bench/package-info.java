/** {@code heddle bench}: measures the speed of this machine. See {@link dev.heddle.cli.bench.BenchCommand}. */
@NullMarked
package dev.heddle.cli.bench;

import org.jspecify.annotations.NullMarked;
