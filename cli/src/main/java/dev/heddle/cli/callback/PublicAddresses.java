package dev.heddle.cli.callback;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Tells public addresses from those that lead to this machine, its network or the metadata service of a cloud, which a
 * webhook must not reach by accident.
 */
final class PublicAddresses {

    private PublicAddresses() {}

    static boolean contain(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isLoopbackAddress() || address.isLinkLocalAddress()
                || address.isSiteLocalAddress() || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address ? isPublic4(bytes) : isPublic6(bytes);
    }

    private static boolean isPublic4(byte[] bytes) {
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        boolean carrierNat = first == 100 && second >= 64 && second < 128;
        boolean benchmark = first == 198 && (second == 18 || second == 19);
        boolean protocols = first == 192 && second == 0 && bytes[2] == 0;
        return first != 0 && first < 240 && !carrierNat && !benchmark && !protocols;
    }

    /** Addresses that embed an IPv4 address, such as those of NAT64, are as public as that address. */
    private static boolean isPublic6(byte[] bytes) {
        int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
        int second = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
        if (first == 0x64 && second == 0xff9b) {
            return isPublicEmbedded(bytes, 12);
        }
        if (first == 0x2002) {
            return isPublicEmbedded(bytes, 2);
        }
        boolean teredo = first == 0x2001 && second == 0;
        // Only 2000::/3 is assigned to the public internet; unique local addresses (fc00::/7) are not in it.
        return first >> 13 == 1 && !teredo;
    }

    private static boolean isPublicEmbedded(byte[] bytes, int from) {
        try {
            return contain(InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
