/** {@code heddle bench}: how fast this machine is, {@link dev.heddle.cli.bench.BenchCommand}. */
@NullMarked
package dev.heddle.cli.bench;

import org.jspecify.annotations.NullMarked;
