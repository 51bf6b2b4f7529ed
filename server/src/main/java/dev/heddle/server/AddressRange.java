package dev.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

import dev.heddle.job.Limits;

/**
 * A range of network addresses, such as {@code 10.0.0.0/8}, {@code ::1} or {@code 192.0.2.7}.
 *
 * @param network the first bytes of the addresses
 * @param bits how many bits of it count
 */
record AddressRange(String network, int bits) {

    /** Only digits: nothing is ever looked up by name. */
    private static final Pattern ADDRESS = Pattern
            .compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /**
     * Reads an address, or a network in CIDR notation.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static AddressRange parse(String text) {
        String[] parts = text.split("/", -1);
        try {
            if (parts.length <= 2 && isAddress(parts[0])) {
                int length = bytes(parts[0]).length * 8;
                int bits = parts.length == 1 ? length : Integer.parseInt(parts[1]);
                if (bits >= 0 && bits <= length) {
                    return new AddressRange(parts[0], bits);
                }
            }
        } catch (NumberFormatException e) {
            // Reported below, as is a number of bits that is out of range.
        }
        throw new IllegalArgumentException("not an address or a network such as 10.0.0.0/8: '" + Limits.quoted(text)
                + "'");
    }

    /** Returns whether a text is an address in digits. */
    static boolean isAddress(String text) {
        try {
            return ADDRESS.matcher(text).matches() && InetAddress.getByName(text) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static byte[] bytes(String address) {
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: '" + Limits.quoted(address) + "'", e);
        }
    }

    /** Returns whether an address is in this range. */
    boolean contains(String address) {
        String plain = address.replaceAll("^\\[|]$|%.*", "");
        if (!isAddress(plain)) {
            return false;
        }
        byte[] own = bytes(network);
        byte[] other = bytes(plain);
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % 8;
            if (((own[bit / 8] ^ other[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
