import { expect, test } from 'vitest';
import { sha256, signS3 } from './s3-signature.ts';

/** The example of the "Signature calculations" page of the S3 reference. */
const keys = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const at = new Date('2013-05-24T00:00:00Z');

test('a read of a range is signed as the S3 reference shows', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');

  const headers = signS3(
    { method: 'GET', url, headers: { range: 'bytes=0-9' }, bodyHash: sha256('') },
    keys,
    at,
  );

  expect(headers.authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test('a query without a value is signed as the S3 reference shows', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/?lifecycle');

  const { authorization } = signS3({ method: 'GET', url, headers: {}, bodyHash: sha256('') }, keys, at);

  expect(authorization).toContain(
    'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
});
