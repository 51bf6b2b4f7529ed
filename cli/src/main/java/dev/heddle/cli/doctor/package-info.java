/** {@code heddle doctor}: looks whether everything Heddle needs is there, {@link dev.heddle.cli.doctor.Examination}. */
@NullMarked
package dev.heddle.cli.doctor;

import org.jspecify.annotations.NullMarked;
