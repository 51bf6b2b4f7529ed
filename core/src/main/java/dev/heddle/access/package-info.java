/**
 * Who may do what, and who did what. {@link dev.heddle.access.Role} says what a caller may do. A store that offers
 * {@link dev.heddle.access.AccessStore} keeps tokens, and one that offers {@link dev.heddle.access.AuditStore} keeps a
 * record of the operations of each {@link dev.heddle.access.Actor}.
 */
@NullMarked
package dev.heddle.access;

import org.jspecify.annotations.NullMarked;
