/**
 * The home: the directory that a node shares with the commands around it. Start at {@link dev.heddle.cli.home.Home}. A
 * node holds the {@link dev.heddle.cli.home.HomeLock}; commands find the node by its
 * {@link dev.heddle.cli.home.NodeStatus}.
 */
@NullMarked
package dev.heddle.cli.home;

import org.jspecify.annotations.NullMarked;
