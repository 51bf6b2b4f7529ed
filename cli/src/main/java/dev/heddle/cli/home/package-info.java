/**
 * The directory that a node and the commands around it share: {@link dev.heddle.cli.home.Home} finds it,
 * {@link dev.heddle.cli.home.Tenancy} is a node's hold on it, and a {@link dev.heddle.cli.home.Sighting} is what a
 * command finds there.
 */
@NullMarked
package dev.heddle.cli.home;

import org.jspecify.annotations.NullMarked;
