/**
 * Keeps this node alive in the store and takes over from nodes that died. Internal, not API.
 *
 * <p>{@link dev.heddle.engine.cluster.NodeLease} renews the lease. {@link dev.heddle.engine.cluster.NodeRecovery}
 * recovers the jobs of dead nodes and corrects differences between the store and this node, as {@link
 * dev.heddle.engine.cluster.RecoveryRules} and {@link dev.heddle.engine.cluster.Reconciliation} decide. {@link
 * dev.heddle.engine.cluster.Adoption} takes over attempts whose processes outlived their node.
 */
@NullMarked
package dev.heddle.engine.cluster;

import org.jspecify.annotations.NullMarked;
