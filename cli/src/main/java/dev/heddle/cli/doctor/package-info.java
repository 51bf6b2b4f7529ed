/**
 * {@code heddle doctor}: checks that everything Heddle needs is available. {@code DoctorChecks} has
 * the checks.
 */
@NullMarked
package dev.heddle.cli.doctor;

import org.jspecify.annotations.NullMarked;
